/** Proves that an arm's hook handled the packets, by the hooks' own counters around each measurement. */
import { median, valuesOf } from '../../measure/measurement.ts'
import { formatCount } from '../../base/units.ts'
import type { Observation } from '../../base/observation.ts'
import type { ProofInput } from '../feature.ts'
import { hookName } from './hooks.ts'
import { hookIn } from './settings.ts'

/** A packet that is lost on its way to the node opens no flow. */
const TOLERANCE = 0.02

/**
 * Did the hook count all flows? More than once is right, too: netfilter remembers a flow when its first packet leaves, so of
 * a burst several packets can be the first.
 */
function isWhole(share: number): boolean {
  return share >= 1 - TOLERANCE
}

/**
 * The arm's hook must have counted each flow, and all others none. Without forwarding no hook may count any. A run
 * without counters proves nothing.
 */
export function proof({ settings, measurements }: ProofInput): Observation[] {
  const by = hookIn(settings)
  const shares = valuesOf(measurements, 'hookShare')
  const others = valuesOf(measurements, 'elsewhere')
  const known = measurements.length > 0
  const elsewhere = others.reduce((sum, one) => sum + one, 0)
  const other: Observation = {
    label: `packets that ${by === 'none' ? 'any hook' : 'other hooks'} counted`,
    expected: '0',
    seen: others.length === 0 ? 'unknown' : formatCount(elsewhere),
    ok: known && others.length === measurements.length && elsewhere === 0,
  }
  if (by === 'none') return [other]
  const own: Observation = {
    label: `flows that ${hookName[by]} counted, per flow sent`,
    expected: '≥ 1.00',
    seen: shares.length === 0 ? 'unknown' : median(shares).toFixed(2),
    ok: known && shares.length === measurements.length && shares.every(isWhole),
  }
  return [own, other]
}
