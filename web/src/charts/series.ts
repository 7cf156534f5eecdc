/** From measurements to what a chart draws. Pure, no React. */
import type { Comparison, ComparedMetric } from '@expresslane/shared/compare/compare'
import type { RepeatState, Sample } from '@expresslane/shared/run/run-state'
import { niceTicks, type AxisTicks } from '@expresslane/shared/measure/ticks'

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
  /** The ratio's interval, times the median of `off`: where the interval of the difference lies on this axis; null with too few runs. */
  readonly interval: { readonly low: number; readonly high: number } | null
}

export interface BarPanel {
  readonly title: string
  readonly unit: string
  readonly rows: readonly BarRow[]
}

interface PanelPlan {
  readonly title: string
  readonly unit: string
  /** What one of the panel's units is in the metric's own. */
  readonly divisor: number
  readonly metrics: readonly (readonly [ComparedMetric, string])[]
}

const panels: readonly PanelPlan[] = [
  { title: 'TPS, more is better', unit: 'TPS', divisor: 1, metrics: [['tps', 'TPS']] },
  {
    title: 'Latency in µs, less is better',
    unit: 'µs',
    divisor: 1,
    metrics: [
      ['p50', 'p50'],
      ['p90', 'p90'],
      ['p99', 'p99'],
    ],
  },
]

const streamPanels: readonly PanelPlan[] = [
  { title: 'Gbit/s, more is better', unit: 'Gbit/s', divisor: 1e9, metrics: [['throughput', 'Throughput']] },
  {
    title: 'CPU ms a gigabit, less is better',
    unit: 'ms',
    divisor: 1e-3,
    metrics: [['cpuSecondsPerGigabit', 'CPU time']],
  },
  {
    title: 'Payload a packet in kB',
    unit: 'kB',
    divisor: 1e3,
    metrics: [['bytesPerPacket', 'Payload']],
  },
]

/** Medians as bars, every run as a dot; a metric that the comparison lacks is left out, and a panel that has none. */
export function barPanels({ rows: compared }: Comparison): BarPanel[] {
  const plan = compared.some(({ metric }) => metric === 'tps') ? panels : streamPanels
  return plan.flatMap(({ title, unit, divisor, metrics }) => {
    const rows = metrics.flatMap(([metric, label]): BarRow[] => {
      const row = compared.find((one) => one.metric === metric)
      if (row === undefined) return []
      const scaled = (values: readonly number[]): number[] => values.map((value) => value / divisor)
      const off = row.off / divisor
      return [
        {
          label,
          off,
          on: row.on / divisor,
          offDots: scaled(row.offValues),
          onDots: scaled(row.onValues),
          interval: row.interval === null ? null : { low: off * row.interval.low, high: off * row.interval.high },
        },
      ]
    })
    return rows.length === 0 ? [] : [{ title, unit, rows }]
  })
}

/** The axis of some bars: it ends above every bar, dot and interval. */
export function barTicks(rows: readonly BarRow[]): AxisTicks {
  return niceTicks(
    Math.max(
      0,
      ...rows.flatMap(({ off, on, offDots, onDots, interval }) => [
        off,
        on,
        ...offDots,
        ...onDots,
        interval?.high ?? 0,
      ]),
    ) * 1.05,
  )
}
