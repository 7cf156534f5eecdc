/** Recharts: a time series as its rows, and the look of its axes. Pure. */
import type { TimeSeries } from '@expresslane/shared/charts/time-series'

export const tick = { fill: 'var(--muted)', fontSize: 16, fontFamily: 'var(--font-ui)' }
export const axisLine = { stroke: 'var(--line-strong)' }
export const gridColor = 'var(--line)'

export interface LiveRow {
  /** Seconds since the start of the first repeat. */
  readonly at: number
  /** In the unit of the metric's axis, by repeat: `r1`, `r2`, ... */
  readonly [line: `r${number}`]: number
}

/** The key of a repeat's values. */
export function lineKey(repeat: number): `r${number}` {
  return `r${repeat}`
}

/** A row for each point. */
export function liveRows({ lines }: TimeSeries): LiveRow[] {
  return lines.flatMap(({ repeat, points }) =>
    points.map(({ at, value }): LiveRow => ({ at, [lineKey(repeat.repeat)]: value })),
  )
}
