/** Compares a running measurement with the previous one. Pure. */
import { compareArms } from '@expresslane/shared/compare/compare'
import { median, medianOf, type Measurement } from '@expresslane/shared/measure/measurement'
import type { MetricId } from '@expresslane/shared/measure/metrics'
import { formatInterval } from '../../words/comparison.ts'

export interface Estimate {
  /** The change of the metric's median, in percent. */
  readonly changePercent: number
  /** `+18 to +27 %`; null with too few runs. */
  readonly interval: string | null
  /** The number of finished runs; 0 during the first run. */
  readonly runs: number
}

/**
 * @param before the other arm's runs
 * @param taken this arm's finished runs
 * @param live the samples of the current run, used before the first run has finished
 * @param metric the metric to compare
 * @returns null while there is nothing to compare
 */
export function estimateOf(
  before: readonly Measurement[],
  taken: readonly Measurement[],
  live: readonly number[],
  metric: MetricId,
): Estimate | null {
  const row = compareArms(before, taken, { only: [metric] })?.rows[0]
  if (row !== undefined) {
    return { changePercent: row.changePercent, interval: formatInterval(row), runs: taken.length }
  }
  const ratio = median(live) / (medianOf(before, metric) ?? Number.NaN)
  return Number.isFinite(ratio) ? { changePercent: (ratio - 1) * 100, interval: null, runs: 0 } : null
}
