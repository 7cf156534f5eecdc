/** Upgrades data of older versions to the current shape: events of logs and recordings, and summaries of runs. */
import { upgradeMeasured, upgradeMeasuredSummary } from './upgrade/measurements.ts'
import { upgradePlacements } from './upgrade/placement.ts'
import { isObject } from './upgrade/raw.ts'
import { upgradeSettings } from './upgrade/settings.ts'

/**
 * An event of any version in the current shape. Other values are returned unchanged, so that the schema can report what
 * is wrong.
 */
export function upgradeEvent(raw: unknown): unknown {
  return isObject(raw) ? upgradeMeasured(upgradeSettings(upgradePlacements(raw))) : raw
}

/** The history's summary of an ended run of any version, in the current shape. */
export function upgradeRunResult(raw: unknown): unknown {
  return upgradeMeasuredSummary(raw)
}
