/** What an earlier version wrote, in the shape of today: events of its log and its recordings, summaries of its runs. */
import { upgradeMeasured, upgradeMeasuredSummary } from './upgrade/measurements.ts'
import { upgradePlacements } from './upgrade/placement.ts'
import { isObject } from './upgrade/raw.ts'
import { upgradeSettings } from './upgrade/settings.ts'

/**
 * An event of any version as one of this. A value that is no event is returned as it is: the schema that reads it next
 * says what is wrong with it.
 */
export function upgradeEvent(raw: unknown): unknown {
  return isObject(raw) ? upgradeMeasured(upgradeSettings(upgradePlacements(raw))) : raw
}

/** What the history keeps of an ended run, of any version, as this one keeps it. */
export function upgradeRunResult(raw: unknown): unknown {
  return upgradeMeasuredSummary(raw)
}
