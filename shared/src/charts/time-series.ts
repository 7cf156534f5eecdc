/** A tool's live metric over time, repeat after repeat, as data. Pure. */
import { benchmarkKind, metricOf } from '../features/metrics.ts'
import type { BenchmarkKind } from '../measure/benchmark.ts'
import type { Clock } from '../measure/clock.ts'
import { maxOf } from '../measure/extremes.ts'
import type { Sample } from '../measure/measurement.ts'
import type { MetricId } from '../measure/metrics.ts'
import type { RepeatState } from '../run/run-state.ts'
import { niceTicks, type AxisTicks } from './draw/ticks.ts'

/** The most points of all repeats together. More points than pixels take time and show nothing more. */
export const POINTS_PER_CHART = 600
/** A repeat with fewer points is no line. */
const LEAST_POINTS = 2
/** The end of an axis before the first sample. */
const EMPTY_AXIS = 10_000

/** The benchmark kind of a repeat, derived from its values if the repeat does not name it. */
export function kindOfRepeat(repeat: RepeatState): BenchmarkKind {
  const { benchmark, samples, measurement, instructionsPerMicrosecond } = repeat
  const values = measurement?.values ?? samples[0]?.values ?? {}
  return benchmarkKind(benchmark ?? { tool: 'unknown' }, values, instructionsPerMicrosecond !== null)
}

export interface TimePoint {
  /** Seconds since the start of the first repeat: the middle of the sample's time. */
  readonly at: number
  /** In the unit of the metric's axis. */
  readonly value: number
  /** In the time at the start that the tool leaves out of its result. */
  readonly omitted: boolean
  /** Its place among the samples of its repeat; of several, the first. */
  readonly sample: number
}

export interface TimeLine {
  readonly repeat: RepeatState
  readonly points: readonly TimePoint[]
  /** The seconds at the start whose measurements the tool leaves out. */
  readonly omittedUntil: number
}

export interface TimeSeries {
  readonly metric: MetricId
  readonly lines: readonly TimeLine[]
  /** Seconds where a repeat ends and the next begins. */
  readonly borders: readonly number[]
  readonly seconds: number
  /** The clock of the measured machine. */
  readonly clock: Clock
  /** In the unit of the metric's axis. */
  readonly ticks: AxisTicks
}

/** At most `limit` points: averages neighbours, so that a sum over time does not change. */
export function thin(points: readonly TimePoint[], limit: number): TimePoint[] {
  if (points.length <= limit) return [...points]
  const size = Math.ceil(points.length / limit)
  return Array.from({ length: Math.ceil(points.length / size) }, (_, index) => {
    const bucket = points.slice(index * size, (index + 1) * size)
    const mean = (of: (one: TimePoint) => number): number =>
      bucket.reduce((sum, one) => sum + of(one), 0) / bucket.length
    return {
      at: mean(({ at }) => at),
      value: mean(({ value }) => value),
      omitted: bucket.every(({ omitted }) => omitted),
      sample: bucket[0]?.sample ?? 0,
    }
  })
}

function pointsOf(samples: readonly Sample[], metric: MetricId, from: number): TimePoint[] {
  const { divisor } = metricOf(metric).axis
  return samples.flatMap(({ atSeconds, seconds, omitted, values }, sample): TimePoint[] => {
    const value = values[metric] ?? null
    return value === null
      ? []
      : [{ at: from + atSeconds - (seconds ?? 0) / 2, value: value / divisor, omitted, sample }]
  })
}

function omittedSeconds({ samples }: RepeatState): number {
  return samples.findLast(({ omitted }) => omitted)?.atSeconds ?? 0
}

export interface TimeOptions {
  /** A further value that the axis must include, in the metric's own unit; null for none. */
  readonly highest?: number | null
  /** Whether the axis has room for the repeats that are still to come. */
  readonly planned?: boolean
}

/** The samples of repeats of one live metric on one time axis, end to end. */
export function timeSeries(
  repeats: readonly RepeatState[],
  metric: MetricId,
  { highest = null, planned = false }: TimeOptions = {},
): TimeSeries {
  const [first] = repeats
  const count = Math.max(repeats.length, planned ? (first?.repeats ?? 1) : 0)
  const limit = Math.max(LEAST_POINTS, Math.floor(POINTS_PER_CHART / Math.max(1, count)))
  const ends: number[] = []
  const lines = repeats.map((repeat): TimeLine => {
    const from = ends.at(-1) ?? 0
    const omitted = omittedSeconds(repeat)
    ends.push(from + Math.max(repeat.seconds + omitted, repeat.samples.at(-1)?.atSeconds ?? 0))
    return { repeat, points: thin(pointsOf(repeat.samples, metric, from), limit), omittedUntil: from + omitted }
  })
  while (ends.length < count) ends.push((ends.at(-1) ?? 0) + (first?.seconds ?? 1))
  const values = lines.flatMap(({ points }) => points.map(({ value }) => value))
  const most = maxOf(values, (highest ?? 0) / metricOf(metric).axis.divisor)
  return {
    metric,
    lines,
    borders: ends.slice(0, -1),
    seconds: ends.at(-1) ?? 1,
    clock: first?.instructionsPerMicrosecond ?? null,
    ticks: niceTicks(most * 1.05 || EMPTY_AXIS),
  }
}
