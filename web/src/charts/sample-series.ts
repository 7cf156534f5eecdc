/** Turns the samples of a tool into rows and points. Pure. */
import { maxOf } from '@expresslane/shared/measure/extremes'
import { formatMetric, benchmarkKind, metricOf } from '@expresslane/shared/features/metrics'
import { formatClockTime, type Clock } from '@expresslane/shared/measure/clock'
import type { BenchmarkKind } from '@expresslane/shared/measure/benchmark'
import type { Sample } from '@expresslane/shared/measure/measurement'
import type { MetricId } from '@expresslane/shared/measure/metrics'
import { niceTicks, type AxisTicks } from '@expresslane/shared/measure/ticks'
import type { RepeatState } from '@expresslane/shared/run/run-state'

/** The benchmark kind of a repeat, derived from its values if the repeat does not name it. */
export function kindOfRepeat(repeat: RepeatState): BenchmarkKind {
  const { benchmark, samples, measurement, instructionsPerMicrosecond } = repeat
  const values = measurement?.values ?? samples[0]?.values ?? {}
  return benchmarkKind(benchmark ?? { tool: 'unknown' }, values, instructionsPerMicrosecond !== null)
}

/** Repeats whose samples are shown as rows. */
export function sampledRepeats(repeats: readonly RepeatState[]): RepeatState[] {
  return repeats.filter((one) => one.samples.length > 0 && kindOfRepeat(one).sampled.length > 0)
}

/** `2.0–3.0 s`; the end in instructions, where the clock counts them. */
function sampleTime({ atSeconds, seconds }: Sample, clock: Clock): string {
  const end = formatClockTime(atSeconds, clock, 1)
  if (clock !== null) return end
  return seconds === null ? end : `${Math.max(0, atSeconds - seconds).toFixed(1)}–${end}`
}

export interface SampleRow {
  readonly time: string
  readonly cells: readonly string[]
  readonly omitted: boolean
}

/** The samples as the tool reports them, one cell per metric; a value that the tool does not report is a dash. */
export function sampleRows(samples: readonly Sample[], metrics: readonly MetricId[], clock: Clock): SampleRow[] {
  return samples.map((one) => ({
    time: sampleTime(one, clock),
    cells: metrics.map((metric) => {
      const value = one.values[metric] ?? null
      return value === null ? '–' : formatMetric(metric, value)
    }),
    omitted: one.omitted,
  }))
}

export interface RatePoint {
  /** Percent of the axis: the middle of its interval. */
  readonly x: number
  /** Percent from the top. */
  readonly y: number
  /** In the metric's own unit. */
  readonly value: number
  readonly omitted: boolean
}

export interface RateLine {
  readonly metric: MetricId
  readonly points: readonly RatePoint[]
  /** The part at the start that the tool leaves out, in percent of the axis. */
  readonly omittedUntil: number
  /** In the unit of the metric's axis. */
  readonly ticks: AxisTicks
  readonly seconds: number
  /** Of the machine that was measured. */
  readonly clock: Clock
}

/** The live metric of one repeat over time, on an axis up to at least `highest`. */
export function rateLine(repeat: RepeatState, metric: MetricId, highest: number): RateLine {
  const { samples, seconds, instructionsPerMicrosecond: clock } = repeat
  const { divisor } = metricOf(metric).axis
  const omitted = samples.filter((one) => one.omitted).at(-1)?.atSeconds ?? 0
  const whole = Math.max(seconds + omitted, samples.at(-1)?.atSeconds ?? 0)
  const ticks = niceTicks((highest / divisor) * 1.05)
  const top = ticks.at(-1) ?? 1
  return {
    metric,
    points: samples.flatMap((one): RatePoint[] => {
      const value = one.values[metric] ?? null
      if (value === null) return []
      const x = ((one.atSeconds - (one.seconds ?? 0) / 2) / whole) * 100
      return [{ x, y: 100 - (value / divisor / top) * 100, value, omitted: one.omitted }]
    }),
    omittedUntil: (omitted / whole) * 100,
    ticks,
    seconds: whole,
    clock,
  }
}

/** The highest value of any sample, in the metric's own unit. */
export function highestRate(repeats: readonly RepeatState[], metric: MetricId): number {
  return maxOf(
    repeats.flatMap(({ samples }) => samples.map(({ values }) => values[metric] ?? 0)),
    0,
  )
}
