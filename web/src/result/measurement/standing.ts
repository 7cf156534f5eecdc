/** How a measurement that goes on stands against the one before it. Pure. */
import { compareArms } from '@expresslane/shared/compare/compare'
import { median, medianOf, type Measurement } from '@expresslane/shared/measure/measurement'
import type { MetricId } from '@expresslane/shared/measure/metrics'
import { formatInterval } from '../../words/comparison.ts'

export interface Standing {
  /** Of the metric's median, in percent. */
  readonly changePercent: number
  /** `+18 to +27 %`; null while there are too few runs for one. */
  readonly interval: string | null
  /** Finished runs that it rests on; 0 while the first one goes on. */
  readonly runs: number
}

/**
 * @param before the other arm's runs
 * @param taken this arm's finished runs
 * @param live the samples of the run that goes on: all there is before one has finished
 * @param metric what is compared, live as well
 * @returns null while there is nothing to hold against each other
 */
export function standingOf(
  before: readonly Measurement[],
  taken: readonly Measurement[],
  live: readonly number[],
  metric: MetricId,
): Standing | null {
  const row = compareArms(before, taken, { only: [metric] })?.rows[0]
  if (row !== undefined) {
    return { changePercent: row.changePercent, interval: formatInterval(row), runs: taken.length }
  }
  const ratio = median(live) / (medianOf(before, metric) ?? Number.NaN)
  return Number.isFinite(ratio) ? { changePercent: (ratio - 1) * 100, interval: null, runs: 0 } : null
}
