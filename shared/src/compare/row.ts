/** A metric of two arms: effect, interval, test, verdict. */
import { maxOf, minOf } from '../measure/extremes.ts'
import { metricOf } from '../features/metrics.ts'
import type { ComparedRow, Verdict } from './comparison.ts'
import type { Clock } from '../measure/clock.ts'
import { median } from '../measure/measurement.ts'
import type { MetricId } from '../measure/metrics.ts'
import { ratioInterval } from './stats/bootstrap.ts'
import { LEAST_RUNS, rankTest } from './stats/rank-test.ts'
import type { Joint } from './together.ts'
import { withoutTrend, type Series, type Trend } from './stats/trend.ts'

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

/** The simultaneous interval, which contains the ratio of the medians, too: it is computed from means of logarithms. */
function containing({ low, high }: Interval, ratio: number): Interval | null {
  return Number.isFinite(high) ? { low: Math.min(low, ratio), high: Math.max(high, ratio) } : null
}

/** Never below the row's own p. Without a joint judgement, Bonferroni's bound. */
function adjusted(p: number, { joint, comparisons }: Family): number {
  return joint === null ? Math.min(1, p * comparisons) : Math.max(p, joint.p)
}

function verdictOf(row: Omit<ComparedRow, 'verdict' | 'role'>): Verdict {
  const { better, interval, off, on, ratio, resolution } = row
  const p = row.adjustedP ?? row.p
  if (p === null) return 'too-few'
  const outside = interval !== null && (interval.low > 1 || interval.high < 1)
  const finer = resolution !== null && Math.abs(on - off) <= resolution
  if (better === 'neither' || !outside || finer || p >= CLAIMED_BELOW_P) return 'no-difference'
  return ratio > 1 === (better === 'more') ? 'improved' : 'worse'
}

/** The comparisons of an experiment that a row is judged with. */
export interface Family {
  readonly comparisons: number
  /** Null if this metric has no logarithms. */
  readonly joint: Joint | null
}

/**
 * @param common the trend that both arms share and that is removed; null for none
 * @param family null for a row that is judged by itself
 * @param clock of the machine that was measured, for the tool's resolution
 * @returns null if an arm has no values, or the baseline's median is 0
 */
export function compareRow(
  metric: MetricId,
  off: Series,
  on: Series,
  common: Trend | null,
  family: Family | null = null,
  clock: Clock = null,
): Omit<ComparedRow, 'role'> | null {
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
  const { better, step: stepAt } = metricOf(metric)
  const step = (value: number): number | null => stepAt(value, clock)
  const resolution = step(Math.max(offMedian, onMedian))
  const joint = family?.joint?.interval ?? null
  const test = enough ? rankTest(before, after) : null
  const own = enough && family === null ? ratioInterval(before, after) : null
  const drawn = joint === null ? own : containing(joint, ratio)
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
    adjustedP: test === null || family === null ? null : adjusted(test.p, family),
    effectSize: test?.delta ?? null,
    resolution,
  }
  return { ...row, verdict: verdictOf(row) }
}
