/** One metric of two arms: effect, interval, test, verdict. */
import { maxOf, minOf } from '../measure/extremes.ts'
import { metricOf } from '../features/metrics.ts'
import type { ComparedRow, Verdict } from './comparison.ts'
import { median } from '../measure/measurement.ts'
import type { MetricId } from '../measure/metrics.ts'
import { ratioInterval } from './stats/bootstrap.ts'
import { rankTest } from './stats/rank-test.ts'
import { withoutTrend, type Series, type Trend } from './stats/trend.ts'

/**
 * Runs of each arm that a verdict needs. 3 v 3 runs have 20 possible orders, so the rank test's p is at least 0.1; 4 v 4 runs
 * have 70, and p can be 0.029.
 */
export const LEAST_RUNS = 4
const CLAIMED_BELOW_P = 0.05

type Interval = NonNullable<ComparedRow['interval']>

/** Each median is only known to half a step of the tool: no interval is narrower than that. */
function widened(
  { low, high }: Interval,
  off: number,
  on: number,
  step: (value: number) => number | null,
): Interval | null {
  const [offHalf, onHalf] = [(step(off) ?? 0) / 2, (step(on) ?? 0) / 2]
  if (off <= offHalf) return null
  return {
    low: Math.min(low, Math.max(0, on - onHalf) / (off + offHalf)),
    high: Math.max(high, (on + onHalf) / (off - offHalf)),
  }
}

function verdictOf(row: Omit<ComparedRow, 'verdict'>): Verdict {
  const { better, interval, p, off, on, ratio, resolution } = row
  if (p === null) return 'too-few'
  const outside = interval !== null && (interval.low > 1 || interval.high < 1)
  const finer = resolution !== null && Math.abs(on - off) <= resolution
  if (better === 'neither' || !outside || finer || p >= CLAIMED_BELOW_P) return 'no-difference'
  return ratio > 1 === (better === 'more') ? 'improved' : 'worse'
}

/**
 * @param common the trend that both arms share and that is removed; null for none
 * @returns null if an arm has no values, or the baseline's median is 0
 */
export function compareRow(metric: MetricId, off: Series, on: Series, common: Trend | null): ComparedRow | null {
  const at = [...off.at, ...on.at]
  const middle = (minOf(at) + maxOf(at)) / 2
  const [before, after] = [off, on].map((arm) =>
    common === null ? arm.values : withoutTrend(arm, common.slope, middle),
  ) as [number[], number[]]
  const [offMedian, onMedian] = [median(before), median(after)]
  const ratio = onMedian / offMedian
  // Also infinite if the baseline is the smallest number there is.
  if (!Number.isFinite(ratio)) return null
  const enough = Math.min(before.length, after.length) >= LEAST_RUNS
  const { better, step } = metricOf(metric)
  const resolution = step(Math.max(offMedian, onMedian))
  const drawn = enough ? ratioInterval(before, after) : null
  const test = enough ? rankTest(before, after) : null
  const row = {
    metric,
    better,
    off: offMedian,
    on: onMedian,
    offValues: [...off.values],
    onValues: [...on.values],
    ratio,
    interval: drawn === null ? null : widened(drawn, offMedian, onMedian, step),
    changePercent: (ratio - 1) * 100,
    p: test?.p ?? null,
    effectSize: test?.delta ?? null,
    resolution,
  }
  return { ...row, verdict: verdictOf(row) }
}
