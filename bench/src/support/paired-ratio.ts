/** The ratio of two sides that were measured in pairs, with its 95 % interval. Pure. */
import { median } from '@expresslane/shared/measure/measurement'

/** The two-sided 95 % point of the normal distribution. */
const Z = 1.96
/** Below this the normal approximation of the signed-rank test is not good enough. */
const LEAST = 10

export interface PairedRatio {
  readonly pairs: number
  /** The Hodges-Lehmann estimate: the median of the means of all two pairs' logarithms. */
  readonly ratio: number
  /** The ratios that the signed-rank test does not reject at 5 %. */
  readonly low: number
  readonly high: number
}

/**
 * The sides of a pair share most disturbances of a machine, so their ratios vary less than the sides do; the
 * signed-rank interval needs no normal distribution, and one disturbed pair moves it little (Hollander, Wolfe, Chicken:
 * Nonparametric Statistical Methods, 3.2 and 3.3).
 *
 * @param ratios of one side to the other, one a pair; positive
 * @returns null with fewer than {@link LEAST} pairs
 */
export function pairedRatio(ratios: readonly number[]): PairedRatio | null {
  const n = ratios.length
  if (n < LEAST) return null
  const logs = ratios.map(Math.log)
  const means = logs
    .flatMap((one, index) => logs.slice(index).map((other) => (one + other) / 2))
    .toSorted((a, b) => a - b)
  const outside = Math.floor((n * (n + 1)) / 4 - Z * Math.sqrt((n * (n + 1) * (2 * n + 1)) / 24))
  const [low = Number.NaN, high = Number.NaN] = [means[outside], means[means.length - 1 - outside]]
  return { pairs: n, ratio: Math.exp(median(means)), low: Math.exp(low), high: Math.exp(high) }
}
