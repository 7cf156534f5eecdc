/** Proves an arm by the limiter's own counters, by host routing's, and by the shortest ping of a long path. */
import { i18n } from '../../base/language.ts'
import { maxOf, minOf } from '../../measure/extremes.ts'
import { valuesOf, type Measurement } from '../../measure/measurement.ts'
import type { MetricId } from '../../measure/metrics.ts'
import { formatCount } from '../../base/units.ts'
import type { Observation } from '../../base/observation.ts'
import type { ProofInput } from '../feature.ts'
import { observePassed } from '../counted-packets.ts'
import { BITS_IN_MEGABIT, printedValue } from './metrics.ts'
import { limiterIn, limitIn, longPathIn, lossOf, NARROW_MBIT, ROUND_TRIP_MS } from './settings.ts'

/** A token bucket starts full, so that a short run gets more than the rate. */
const ABOVE_LIMIT = 1.25

function printedValues(measurements: readonly Measurement[], id: MetricId): number[] {
  return measurements.flatMap((one) => printedValue(one, id) ?? [])
}

/** Something was counted in every run, or nothing in any. */
function counted(label: string, metric: MetricId, isHere: boolean, measurements: readonly Measurement[]): Observation {
  if (!isHere) return observePassed({ label, metric, perTransaction: null }, measurements)
  const seen = valuesOf(measurements, metric)
  const least = seen.length === 0 ? null : minOf(seen)
  const ok = least !== null && least > 0 && seen.length === measurements.length
  return { label, expected: '≥ 1', seen: least === null ? i18n.t('unknown') : formatCount(least), ok }
}

function atMost(megabits: number, measurements: readonly Measurement[]): Observation {
  const seen = printedValues(measurements, 'streamRate').map((one) => one / BITS_IN_MEGABIT)
  const most = seen.length === 0 ? null : maxOf(seen)
  return {
    label: i18n.t('rate of the stream'),
    expected: `≤ ${megabits * ABOVE_LIMIT} Mbit/s`,
    seen: most === null ? i18n.t('unknown') : `${most.toFixed(1)} Mbit/s`,
    ok: most !== null && seen.length === measurements.length && most <= megabits * ABOVE_LIMIT,
  }
}

function roundTrip(label: string, metric: MetricId, measurements: readonly Measurement[]): Observation {
  const seen = printedValues(measurements, metric)
  const least = seen.length === 0 ? null : minOf(seen)
  return {
    label,
    expected: `≥ ${ROUND_TRIP_MS} ms`,
    seen: least === null ? i18n.t('unknown') : `${least.toFixed(2)} ms`,
    ok: least !== null && seen.length === measurements.length && least >= ROUND_TRIP_MS,
  }
}

/** Without counters a run proves nothing. */
export function proof({ settings, benchmark, measurements }: ProofInput): Observation[] {
  const [by, path] = [limiterIn(settings), longPathIn(settings)]
  const isLong = path !== 'none'
  if (benchmark.tool === 'after-pause')
    return isLong ? [roundTrip(i18n.t('shortest response'), 'readyResponse', measurements)] : []
  return [
    counted(i18n.t('packets that the limiter let through'), 'limiterPassed', by !== 'none', measurements),
    counted(i18n.t('packets that host routing brought to the wire'), 'hostRouted', by === 'edt-routed', measurements),
    ...(by === 'none' ? [] : [atMost(limitIn(settings), measurements)]),
    ...(isLong ? [roundTrip(i18n.t('shortest ping'), 'leastPing', measurements)] : []),
    ...(isLong && path !== 'long' ? [atMost(NARROW_MBIT, measurements)] : []),
    ...(lossOf(path) > 0
      ? [counted(i18n.t('packets that the long path lost'), 'pathDropped', true, measurements)]
      : []),
  ]
}
