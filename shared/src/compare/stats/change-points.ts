/** Finds where the level of a series changes. */
import { minOf } from '../../measure/extremes.ts'

/** A change between a value and the next. */
export interface ChangePoint {
  /** The index of the first value of the new level. */
  readonly at: number
  /** The geometric means of the levels on both sides, each up to the next change. */
  readonly before: number
  readonly after: number
}

/** Sums from the beginning, so that the cost of a segment takes no loop. */
function sumsOf(values: readonly number[]): number[] {
  const sums = [0]
  for (const value of values) sums.push((sums.at(-1) ?? 0) + value)
  return sums
}

/** Where the segments with the least cost begin, 0 first: for each end the best last segment, from the first end on. */
function bestStarts(values: readonly number[], penalty: number): number[] {
  const sums = sumsOf(values)
  const squares = sumsOf(values.map((value) => value ** 2))
  const between = (of: readonly number[], from: number, to: number): number => (of[to] ?? 0) - (of[from] ?? 0)
  /** The squared distances of the segment's values from their mean. */
  const cost = (from: number, to: number): number =>
    Math.max(0, between(squares, from, to) - between(sums, from, to) ** 2 / (to - from))
  const least = [-penalty]
  const last = [0]
  for (let to = 1; to <= values.length; to += 1) {
    let [lowest, start] = [Number.POSITIVE_INFINITY, 0]
    for (let from = 0; from < to; from += 1) {
      const whole = (least[from] ?? 0) + cost(from, to) + penalty
      if (whole < lowest) [lowest, start] = [whole, from]
    }
    least.push(lowest)
    last.push(start)
  }
  const starts: number[] = []
  for (let to = values.length; to > 0; to = last[to] ?? 0) starts.unshift(last[to] ?? 0)
  return starts
}

/** The mean of each segment. */
function levelsOf(values: readonly number[], starts: readonly number[]): number[] {
  return starts.map((start, index) => {
    const own = values.slice(start, starts[index + 1])
    return own.reduce((sum, value) => sum + value, 0) / own.length
  })
}

/**
 * The changes of level of a series with one value for each place: the segments that minimise the squared distances of the
 * logarithms from their segment's mean, plus a penalty for each change (optimal partitioning: Jackson et al., An algorithm
 * for optimal partitioning of data on an interval, IEEE Signal Processing Letters 12, 2005; with the L2 cost of Killick,
 * Fearnhead and Eckley, JASA 107, 2012, whose PELT only prunes the same search). Then changes below the smallest that
 * counts are removed, the smallest first.
 *
 * apache-otava finds change points by E-divisive means, and judges them by permuting values. Here each kernel has one value,
 * which is almost the same each time, and there are few kernels to permute: the smallest change that counts is given instead.
 *
 * @param values each above 0; with another value there is no logarithm, and so no change
 * @param smallest the smallest change that counts, as a share: 0.005 for 0.5 %
 */
export function changePoints(values: readonly number[], smallest: number): ChangePoint[] {
  if (values.length < 2 || values.some((value) => !(value > 0))) return []
  const least = Math.log1p(smallest)
  // Around the middle, so that the differences of the sums keep their digits.
  const middle = Math.log(values[0] ?? 1)
  const logs = values.map((value) => Math.log(value) - middle)
  // The gain of a change between two single values that differ by the smallest change that counts.
  const starts = bestStarts(logs, least ** 2 / 2)
  for (;;) {
    const levels = levelsOf(logs, starts)
    const steps = levels.slice(1).map((level, index) => Math.abs(level - (levels[index] ?? 0)))
    const lowest = minOf(steps)
    if (lowest < least) {
      starts.splice(steps.indexOf(lowest) + 1, 1)
      continue
    }
    const means = levels.map((level) => Math.exp(level + middle))
    return starts.slice(1).map((at, index) => ({ at, before: means[index] ?? 0, after: means[index + 1] ?? 0 }))
  }
}
