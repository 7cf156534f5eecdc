/** Metrics that count packets where they pass, and the proof of the packets' way by these counts. Pure. */
import { countedId } from '../measure/clock.ts'
import { commonMetrics } from '../measure/common-metrics.ts'
import { defineMetric } from '../measure/define-metric.ts'
import { minOf, maxOf } from '../measure/extremes.ts'
import { valueOf, valuesOf, type Measurement } from '../measure/measurement.ts'
import type { Metric } from '../measure/metrics.ts'
import { formatCount } from '../base/units.ts'
import type { Observation } from '../base/observation.ts'

/** Packets, or other things, that are counted while a tool runs. */
export interface CountedOnPath {
  readonly id: string
  /** `packets that the gateway forwarded` */
  readonly what: string
  readonly short: string
  readonly column: string
  readonly source: string
  /** @defaultValue packets */
  readonly unit?: string
}

/** A metric of something that is counted on the way, and is neither good nor bad. */
export function countedOnPath({ id, what, short, column, source, unit = 'packets' }: CountedOnPath): Metric {
  const name = what.charAt(0).toUpperCase() + what.slice(1)
  const words = { more: `more ${unit}`, less: `fewer ${unit}` }
  const say = (value: number): string => `${formatCount(value)} ${what}`
  return defineMetric({ id, name, short, noun: `the ${what}`, type: 'count', unit, words, say, column, source })
}

/** The rate is that of the tool's own clock, which begins and ends a little later than the counting. */
const TOLERANCE = 0.05

/** How many transactions a run had, by the rate and the time that its tool printed. A stream has none. */
export function transactionsOf(one: Measurement): number {
  const clock = one.fingerprint?.instructionsPerMicrosecond ?? null
  const rate = commonMetrics.find(({ id }) => id === 'tps')?.counted
  if (clock === null || typeof rate !== 'object') return (valueOf(one, 'tps') ?? 0) * one.elapsedSeconds
  return ((valueOf(one, countedId('tps')) ?? 0) / rate.factor(clock)) * one.elapsedSeconds
}

/** The least count of a metric: so many for each transaction. */
export interface Passed {
  readonly label: string
  readonly metric: string
  /** Null where nothing may be counted. */
  readonly perTransaction: number | null
}

/** Enough must have been counted here in each run, or nothing. Without counters a run proves nothing. */
export function observePassed(
  { label, metric, perTransaction }: Passed,
  measurements: readonly Measurement[],
): Observation {
  const seen = valuesOf(measurements, metric)
  const whole = measurements.length > 0 && seen.length === measurements.length
  if (perTransaction === null) {
    const most = seen.length === 0 ? null : maxOf(seen)
    return { label, expected: '0', seen: most === null ? 'unknown' : formatCount(most), ok: whole && most === 0 }
  }
  const least = (one: Measurement): number =>
    Math.max(1, Math.floor(transactionsOf(one) * perTransaction * (1 - TOLERANCE)))
  const enough = measurements.every((one) => (valueOf(one, metric) ?? 0) >= least(one))
  return {
    label,
    expected: measurements.length === 0 ? 'unknown' : `≥ ${formatCount(minOf(measurements.map(least)))}`,
    seen: seen.length === 0 ? 'unknown' : formatCount(minOf(seen)),
    ok: whole && enough,
  }
}
