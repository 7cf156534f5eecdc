/** Proves which way the packets took, by what the nodes' kernel and the programs counted around each measurement. */
import { countedId } from '../../measure/clock.ts'
import { commonMetrics } from '../../measure/common-metrics.ts'
import { minOf, maxOf } from '../../measure/extremes.ts'
import { valueOf, valuesOf, type Measurement } from '../../measure/measurement.ts'
import { formatCount } from '../../measure/units.ts'
import type { Observation } from '../../run/observation.ts'
import type { ProofInput } from '../feature.ts'
import { isForwardedByStack, isRoutedByBpf } from './devices.ts'
import { deviceIn } from './settings.ts'

/** A request and its response, of which each node passes on both. */
const PACKETS_PER_TRANSACTION = 4
/** The rate is that of the tool's own clock, which begins and ends a little later than the counting. */
const TOLERANCE = 0.05

/** A stream has none. */
function transactionsOf(one: Measurement): number {
  const clock = one.fingerprint?.instructionsPerMicrosecond ?? null
  const rate = commonMetrics.find(({ id }) => id === 'tps')?.counted
  if (clock === null || typeof rate !== 'object') return (valueOf(one, 'tps') ?? 0) * one.elapsedSeconds
  return ((valueOf(one, countedId('tps')) ?? 0) / rate.factor(clock)) * one.elapsedSeconds
}

/** The fewest packets between pods and wire that a run can have had. */
function leastPackets(one: Measurement): number {
  const transactions = transactionsOf(one)
  return Math.max(1, Math.floor(transactions * PACKETS_PER_TRANSACTION * (1 - TOLERANCE)))
}

/** All packets must have been counted here, or none. */
function counted(
  label: string,
  metric: string,
  isHere: boolean,
  measurements: ProofInput['measurements'],
): Observation {
  const seen = valuesOf(measurements, metric)
  const whole = measurements.length > 0 && seen.length === measurements.length
  if (!isHere) {
    const most = seen.length === 0 ? null : maxOf(seen)
    return {
      label,
      expected: '0',
      seen: most === null ? 'unknown' : formatCount(most),
      ok: whole && most === 0,
    }
  }
  const enough = measurements.every((one) => (valueOf(one, metric) ?? 0) >= leastPackets(one))
  return {
    label,
    expected: measurements.length === 0 ? 'unknown' : `≥ ${formatCount(minOf(measurements.map(leastPackets)))}`,
    seen: seen.length === 0 ? 'unknown' : formatCount(minOf(seen)),
    ok: whole && enough,
  }
}

/** Without counters a run proves nothing. */
export function proof({ settings, measurements }: ProofInput): Observation[] {
  const device = deviceIn(settings)
  return [
    counted('packets that the nodes’ IP layer forwarded', 'forwardedPackets', isForwardedByStack(device), measurements),
    counted('packets that BPF programs redirected', 'redirectedPackets', isRoutedByBpf(device), measurements),
    counted('packets whose connection the nodes knew', 'trackedPackets', device === 'veth-conntrack', measurements),
  ]
}
