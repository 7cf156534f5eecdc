/** Finds a trend in measurements over time. */
import { maxOf, minOf } from '../../measure/extremes.ts'
import { twoSidedTail } from './rank-test.ts'

/** Values in the order taken. */
export interface Series {
  /** When: places in an order that grows. */
  readonly at: readonly number[]
  /** Above 0. */
  readonly values: readonly number[]
}

export interface Trend {
  /** The change of the value's logarithm from a place in the order to the next. */
  readonly slope: number
  /** Two-sided, of Kendall's rank correlation with the order. */
  readonly p: number
}

/** A shared trend is removed and does no harm, so the test is sensitive. */
const COMMON_BELOW_P = 0.05
/** A trend of one arm is a warning, and an experiment has several arms: one arm in a hundred gives a false warning. */
const OWN_BELOW_P = 0.01
/** In percent from the first run to the last. A smaller trend does not matter. */
const REPORTED_FROM_PERCENT = 3
/** Up to this number of runs, every order of them is counted. */
const EXACT_UP_TO = 40

/** For each k, the number of orders of `count` values with exactly k inverted pairs. */
function inversions(count: number): number[] {
  let ways = [1]
  for (let size = 2; size <= count; size += 1) {
    const next = Array.from({ length: ways.length + size - 1 }, () => 0)
    ways.forEach((number, wrong) => {
      for (let more = 0; more < size; more += 1) next[wrong + more] = (next[wrong + more] ?? 0) + number / size
    })
    ways = next
  }
  return ways
}

/** The strata are shuffled independently: the sum of their inverted pairs has the convolution of their distributions. */
function convolve(one: readonly number[], other: readonly number[]): number[] {
  const sum = Array.from({ length: one.length + other.length - 1 }, () => 0)
  one.forEach((first, at) => {
    other.forEach((second, more) => {
      sum[at + more] = (sum[at + more] ?? 0) + first * second
    })
  })
  return sum
}

function exactP(counts: readonly number[], score: number): number {
  const chances = counts.map(inversions).reduce(convolve)
  const pairs = chances.length - 1
  const fewest = (pairs - Math.abs(score)) / 2
  const tail = chances.slice(0, fewest + 1).reduce((sum, chance) => sum + chance, 0)
  return Math.min(1, 2 * tail)
}

/** Kendall's variance of the score, corrected for ties among the values. */
function varianceOf(values: readonly number[]): number {
  const term = (n: number): number => n * (n - 1) * (2 * n + 5)
  const groups = Map.groupBy(values, (value) => value)
  const ties = [...groups.values()].reduce((sum, { length }) => sum + term(length), 0)
  return (term(values.length) - ties) / 18
}

/**
 * Kendall's rank correlation of the values with their order (Mann, Econometrica 13, 1945), the pairs taken within each
 * series only, so that a difference between the series is not a trend; and Theil and Sen's slope, the median over all
 * pairs (Sen, JASA 63, 1968), which is robust against outliers. Exact without ties, else the normal approximation.
 *
 * @param all series that share one time: both arms of an interleaved design, or one arm
 * @returns null without two values to compare
 */
export function trendOf(all: readonly Series[]): Trend | null {
  const counts = all.map(({ values }) => values.length)
  // A typed array sorts fast: a budget of hours has a million pairs.
  const slopes = new Float64Array(counts.reduce((sum, count) => sum + (count * (count - 1)) / 2, 0))
  let [score, tied, pairs] = [0, false, 0]
  for (const { at, values } of all) {
    const logs = values.map(Math.log)
    for (let later = 1; later < logs.length; later += 1) {
      for (let earlier = 0; earlier < later; earlier += 1) {
        const rise = (logs[later] ?? 0) - (logs[earlier] ?? 0)
        score += Math.sign(rise)
        tied ||= rise === 0
        slopes[pairs] = rise / ((at[later] ?? 0) - (at[earlier] ?? 0))
        pairs += 1
      }
    }
  }
  if (pairs === 0) return null
  const exact = !tied && counts.reduce((sum, count) => sum + count, 0) <= EXACT_UP_TO
  const variance = all.reduce((sum, { values }) => sum + varianceOf(values), 0)
  const p = exact ? exactP(counts, score) : variance === 0 ? 1 : twoSidedTail(score / Math.sqrt(variance))
  slopes.sort()
  return { slope: ((slopes[(pairs - 1) >> 1] ?? 0) + (slopes[pairs >> 1] ?? 0)) / 2, p }
}

/** Percent from the first to the last place of an order. */
export function percentOver(slope: number, { at }: Pick<Series, 'at'>): number {
  return Math.expm1(slope * ((at.at(-1) ?? 0) - (at[0] ?? 0))) * 100
}

function foundTrend(all: readonly Series[], belowP: number): Trend | null {
  if (all.some(({ values }) => values.some((value) => value <= 0))) return null
  const trend = trendOf(all)
  if (trend === null || trend.p >= belowP) return null
  const at = all.flatMap((series) => series.at)
  const percent = percentOver(trend.slope, { at: [minOf(at), maxOf(at)] })
  return Math.abs(percent) < REPORTED_FROM_PERCENT ? null : trend
}

/** The trend within one arm; null if it is not significant, or tiny. */
export function ownTrend(arm: Series): Trend | null {
  return foundTrend([arm], OWN_BELOW_P)
}

/** The trend that interleaved arms share; null if it is not significant, or tiny. */
export function commonTrend(arms: readonly Series[]): Trend | null {
  return foundTrend(arms, COMMON_BELOW_P)
}

/** The values without the trend, adjusted to the middle of the order. */
export function withoutTrend({ at, values }: Series, slope: number, middle: number): number[] {
  return values.map((value, index) => value * Math.exp(-slope * ((at[index] ?? 0) - middle)))
}
