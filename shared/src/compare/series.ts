/** An arm's values of a metric with their places in the order, and the trend that arms share. Pure. */
import { valueOf, type Measurement } from '../measure/measurement.ts'
import type { MetricId } from '../measure/metrics.ts'
import { commonTrend, type Series, type Trend } from './stats/trend.ts'

type Places = readonly number[]

/** The runs' places in the order that all arms share; null if they share none. */
export function commonPlaces(arms: readonly (readonly Measurement[])[]): readonly Places[] | null {
  const places = arms.map((taken) => taken.map(({ repeat }) => repeat))
  const grows = (of: Places): boolean => of.every((one, index) => index === 0 || one > (of[index - 1] ?? 0))
  const distinct = new Set(places.flat()).size === places.reduce((sum, { length }) => sum + length, 0)
  return distinct && places.every(grows) ? places : null
}

/** The known values. @param places null if the arms share no order */
export function seriesOf(taken: readonly Measurement[], metric: MetricId, places: Places | null): Series {
  const known = taken.flatMap((one, index) => {
    const value = valueOf(one, metric)
    return value === null ? [] : [{ value, at: places?.[index] ?? index }]
  })
  return { at: known.map(({ at }) => at), values: known.map(({ value }) => value) }
}

/** Without the warm-ups. */
export function measuredOnly(taken: readonly Measurement[]): Measurement[] {
  return taken.filter(({ warmup }) => !warmup)
}

/** The trend of a metric that all arms of an interleaved design share, warm-ups excluded; null if there is none. */
export function sharedTrend(arms: readonly (readonly Measurement[])[], metric: MetricId): Trend | null {
  const measured = arms.map(measuredOnly)
  const places = commonPlaces(measured)
  return places === null
    ? null
    : commonTrend(measured.map((taken, index) => seriesOf(taken, metric, places[index] ?? null)))
}
