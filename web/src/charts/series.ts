/** From measurements to what a chart draws. Pure, no React. */
import type { Comparison, ComparedMetric } from '@expresslane/shared/compare'
import type { RepeatState, Sample } from '@expresslane/shared/run-state'

/** Recharts draws SVG: more points than these a chart cost time and show nothing more. */
export const POINTS_A_CHART = 300

export interface TpsRow {
  /** Seconds since the first repeat's start, repeats laid end to end. */
  readonly at: number
  /** TPS, keyed by the repeat: `r1`, `r2`, .... */
  readonly [line: `r${number}`]: number
}

export interface TpsSeries {
  readonly rows: readonly TpsRow[]
  readonly lines: readonly { readonly key: `r${number}`; readonly repeat: number; readonly arm: string }[]
  /** Seconds where a repeat ends and the next begins. */
  readonly borders: readonly number[]
  readonly seconds: number
  readonly ticks: AxisTicks
}

function lineKey(repeat: number): `r${number}` {
  return `r${repeat}`
}

/** An axis from zero: its ticks, the last one being its end. */
export type AxisTicks = readonly [number, ...number[]]

const steps = [1, 2, 2.5, 5, 10]

/** Five round intervals at the most, the last tick at or above `value`. One interval for nothing. */
export function niceTicks(value: number): AxisTicks {
  if (!(value > 0)) return [0, 1]
  const magnitude = 10 ** Math.floor(Math.log10(value / 5))
  const step = (steps.find((one) => one * magnitude * 5 >= value) ?? 10) * magnitude
  const intervals = Math.ceil(value / step - 1e-9)
  return [0, ...Array.from({ length: intervals }, (_, index) => (index + 1) * step)]
}

/** At most `limit` samples: neighbours are averaged, so a sum over time stays what it was. */
export function thin(samples: readonly Sample[], limit: number): { atSeconds: number; tps: number }[] {
  if (samples.length <= limit) return [...samples]
  const size = Math.ceil(samples.length / limit)
  return Array.from({ length: Math.ceil(samples.length / size) }, (_, index) => {
    const bucket = samples.slice(index * size, (index + 1) * size)
    const tps = bucket.reduce((sum, one) => sum + one.tps, 0) / bucket.length
    return { atSeconds: bucket.at(-1)?.atSeconds ?? 0, tps }
  })
}

/**
 * A run's samples on one time axis.
 *
 * @param reference another TPS that the axis must have room for; null for none
 */
export function tpsSeries(repeats: readonly RepeatState[], reference: number | null): TpsSeries {
  const planned = repeats[0]?.repeats ?? 1
  const each = repeats[0]?.seconds ?? 1
  const limit = Math.max(2, Math.floor(POINTS_A_CHART / planned))
  const rows = repeats.flatMap(({ repeat, samples }) =>
    thin(samples, limit).map(({ atSeconds, tps }) => ({
      at: (repeat - 1) * each + Math.min(atSeconds, each),
      [lineKey(repeat)]: tps,
    })),
  )
  const highest = Math.max(reference ?? 0, ...repeats.flatMap(({ samples }) => samples.map(({ tps }) => tps)))
  return {
    rows,
    lines: repeats.map(({ repeat, arm }) => ({ key: lineKey(repeat), repeat, arm })),
    borders: Array.from({ length: planned - 1 }, (_, index) => (index + 1) * each),
    seconds: planned * each,
    ticks: niceTicks(highest * 1.1 || 10_000),
  }
}

export interface BarRow {
  readonly label: string
  readonly off: number
  readonly on: number
  readonly offDots: readonly number[]
  readonly onDots: readonly number[]
}

type BarMetric = Extract<ComparedMetric, 'tps' | 'p50' | 'p90' | 'p99'>

const labels: Record<BarMetric, string> = { tps: 'TPS', p50: 'p50', p90: 'p90', p99: 'p99' }

/** Medians as bars, every repeat as a dot; a metric that the comparison lacks is left out. */
export function barRows(comparison: Comparison, metrics: readonly BarMetric[]): BarRow[] {
  return metrics.flatMap((metric) => {
    const row = comparison.rows.find((one) => one.metric === metric)
    if (row === undefined) return []
    const { off, on, offValues, onValues } = row
    return [{ label: labels[metric], off, on, offDots: offValues, onDots: onValues }]
  })
}

/** The axis of some bars: it ends above every bar and every dot. */
export function barTicks(rows: readonly BarRow[]): AxisTicks {
  return niceTicks(
    Math.max(0, ...rows.flatMap(({ off, on, offDots, onDots }) => [off, on, ...offDots, ...onDots])) * 1.05,
  )
}
