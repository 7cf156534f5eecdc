/** A time series as rows for Recharts. Pure. */
import type { TimeSeries } from '@expresslane/shared/charts/time-series'

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

/** One row for each point. */
export function liveRows({ lines }: TimeSeries): LiveRow[] {
  return lines.flatMap(({ repeat, points }) =>
    points.map(({ at, value }): LiveRow => ({ at, [lineKey(repeat.repeat)]: value })),
  )
}
