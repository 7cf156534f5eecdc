/** What an earlier version wrote, in the shape of today: events of its log and its recordings, summaries of its runs. */
import { z } from 'zod'
import { compareArms } from '../compare/compare.ts'
import { measurement } from '../measure/measurement.ts'
import { familyName, formatCount } from '../measure/units.ts'
import { upgradePlacements } from './upgrade/placement.ts'
import { isObject, type Raw } from './upgrade/raw.ts'
import { upgradeSettings } from './upgrade/settings.ts'

/** Before there were several tools every measurement was netperf's TCP_RR. */
function upgradeMeasurement(raw: unknown): unknown {
  return isObject(raw) && !('tool' in raw) ? { tool: 'tcp-rr', ...raw } : raw
}

const oldComparison = z.object({
  off: z.array(z.preprocess(upgradeMeasurement, measurement)),
  on: z.array(z.preprocess(upgradeMeasurement, measurement)),
})

/** A comparison held its measurements and no interval: it is made again from them. */
function upgradeComparison(raw: unknown): unknown {
  const { data } = oldComparison.safeParse(raw)
  const [first] = data?.off ?? []
  if (data === undefined || first?.tool !== 'tcp-rr') return raw
  const subject = `${formatCount(first.requestBytes)}-byte requests over ${familyName[first.family]}`
  return compareArms(data.off, data.on, { subject }) ?? raw
}

/** From version 1 to 2. */
function upgradeResults(event: Raw): Raw {
  if (event['type'] === 'measurement.taken') {
    return { ...event, measurement: upgradeMeasurement(event['measurement']) }
  }
  if (event['type'] === 'comparison.made') return { ...event, comparison: upgradeComparison(event['comparison']) }
  return event
}

/**
 * An event of any version as one of this. A value that is no event is returned as it is: the schema that reads it next
 * says what is wrong with it.
 */
export function upgradeEvent(raw: unknown): unknown {
  return isObject(raw) ? upgradeSettings(upgradePlacements(upgradeResults(raw))) : raw
}

/** What the history keeps of an ended run, of any version, as this one keeps it: a run measured one arm only. */
export function upgradeRunResult(raw: unknown): unknown {
  if (!isObject(raw) || !isObject(raw['measured']) || !('arm' in raw['measured'])) return raw
  const { arm, ...measured } = raw['measured']
  return { ...raw, measured: { ...measured, arms: [arm], medianThroughput: null } }
}
