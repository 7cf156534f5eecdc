/** Turns measurements into chart data. Pure, no React. */
import { maxOf } from '@expresslane/shared/measure/extremes'
import type { ComparedRow, Comparison } from '@expresslane/shared/compare/comparison'
import { axisTitle, chartsOf, metricOf } from '@expresslane/shared/features/metrics'
import type { Clock } from '@expresslane/shared/measure/clock'
import type { Sample } from '@expresslane/shared/measure/measurement'
import type { MetricId } from '@expresslane/shared/measure/metrics'
import type { RepeatState } from '@expresslane/shared/run/run-state'
import { niceTicks, type AxisTicks } from '@expresslane/shared/measure/ticks'

/** Per chart. Recharts draws SVG: more points take time and show nothing more. */
export const POINTS_PER_CHART = 300

export interface LiveRow {
  /** Seconds since the start of the first repeat, with the repeats end to end. */
  readonly at: number
  /** The live metric in the unit of its axis, by repeat: `r1`, `r2`, ... */
  readonly [line: `r${number}`]: number
}

export interface LiveSeries {
  readonly rows: readonly LiveRow[]
  readonly lines: readonly { readonly key: `r${number}`; readonly repeat: number }[]
  /** Seconds where a repeat ends and the next begins. */
  readonly borders: readonly number[]
  readonly seconds: number
  /** Of the machine that is measured. */
  readonly clock: Clock
  readonly ticks: AxisTicks
}

function lineKey(repeat: number): `r${number}` {
  return `r${repeat}`
}

interface Point {
  readonly atSeconds: number
  readonly value: number
}

/** A metric's known values over time, in the unit of its axis. */
function pointsOf(samples: readonly Sample[], metric: MetricId): Point[] {
  const { divisor } = metricOf(metric).axis
  return samples.flatMap(({ atSeconds, values }): Point[] => {
    const value = values[metric] ?? null
    return value === null ? [] : [{ atSeconds, value: value / divisor }]
  })
}

/** At most `limit` points: averages neighbours, so that a sum over time does not change. */
export function thin(points: readonly Point[], limit: number): Point[] {
  if (points.length <= limit) return [...points]
  const size = Math.ceil(points.length / limit)
  return Array.from({ length: Math.ceil(points.length / size) }, (_, index) => {
    const bucket = points.slice(index * size, (index + 1) * size)
    const value = bucket.reduce((sum, one) => sum + one.value, 0) / bucket.length
    return { atSeconds: bucket.at(-1)?.atSeconds ?? 0, value }
  })
}

/** The end of an axis before the first sample. */
const EMPTY_AXIS = 10_000

/**
 * A run's samples on one time axis.
 *
 * @param reference a further value that the axis must include; null for none
 */
export function liveSeries(repeats: readonly RepeatState[], metric: MetricId, reference: number | null): LiveSeries {
  const planned = repeats[0]?.repeats ?? 1
  const each = repeats[0]?.seconds ?? 1
  const limit = Math.max(2, Math.floor(POINTS_PER_CHART / planned))
  const lines = repeats.map(({ repeat, samples }) => ({ repeat, points: pointsOf(samples, metric) }))
  const rows = lines.flatMap(({ repeat, points }) =>
    thin(points, limit).map(({ atSeconds, value }) => ({
      at: (repeat - 1) * each + Math.min(atSeconds, each),
      [lineKey(repeat)]: value,
    })),
  )
  const other = (reference ?? 0) / metricOf(metric).axis.divisor
  const highest = maxOf(
    lines.flatMap(({ points }) => points.map(({ value }) => value)),
    other,
  )
  return {
    rows,
    lines: lines.map(({ repeat }) => ({ key: lineKey(repeat), repeat })),
    borders: Array.from({ length: planned - 1 }, (_, index) => (index + 1) * each),
    seconds: planned * each,
    clock: repeats[0]?.instructionsPerMicrosecond ?? null,
    ticks: niceTicks(highest * 1.1 || EMPTY_AXIS),
  }
}

export interface BarRow {
  readonly label: string
  readonly off: number
  readonly on: number
  readonly offDots: readonly number[]
  readonly onDots: readonly number[]
  /** The interval of the ratio times the median of `off`, so that it fits this axis; null with too few runs. */
  readonly interval: { readonly low: number; readonly high: number } | null
}

export interface BarPanel {
  readonly title: string
  readonly unit: string
  readonly rows: readonly BarRow[]
}

/** Medians as bars, every run as a dot. Leaves out metrics that the comparison lacks, and empty panels. */
export function barPanels({ tool, rows: compared }: Comparison): BarPanel[] {
  const charts = chartsOf(
    tool,
    compared.map(({ metric }) => metric),
  )
  return charts.flatMap((panel): BarPanel[] => {
    const [first] = panel
    if (first === undefined) return []
    const { unit } = metricOf(first).axis
    const rows = compared.filter(({ metric }) => panel.includes(metric)).map(barRow)
    return [{ title: axisTitle(first), unit, rows }]
  })
}

function barRow({ metric, off, on, offValues, onValues, interval }: ComparedRow): BarRow {
  const { short, axis } = metricOf(metric)
  const scaled = (values: readonly number[]): number[] => values.map((value) => value / axis.divisor)
  const before = off / axis.divisor
  return {
    label: short,
    off: before,
    on: on / axis.divisor,
    offDots: scaled(offValues),
    onDots: scaled(onValues),
    interval: interval === null ? null : { low: before * interval.low, high: before * interval.high },
  }
}

/** The axis of the bars: it ends above every bar, dot and interval. */
export function barTicks(rows: readonly BarRow[]): AxisTicks {
  return niceTicks(
    maxOf(
      rows.flatMap(({ off, on, offDots, onDots, interval }) => [off, on, ...offDots, ...onDots, interval?.high ?? 0]),
      0,
    ) * 1.05,
  )
}
