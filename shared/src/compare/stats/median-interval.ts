/** The median of a few values and its interval, without assuming a distribution. Pure. */

const CONFIDENCE = 0.95

export interface MedianInterval {
  readonly median: number
  /** Null with fewer than 6 values: their smallest and largest then hold the median less often than in 95 % of cases. */
  readonly interval: {
    readonly low: number
    readonly high: number
    /** How often such an interval holds the median: at least 0.95. */
    readonly coverage: number
  } | null
}

/**
 * The sample median, with the narrowest symmetric interval of order statistics that holds the true median in at least
 * 95 % of cases: from the k-th smallest value to the k-th largest. Each value is below the median with probability 1/2,
 * so the coverage is 1 − 2 · P(B < k) with B ~ Binomial(n, 1/2). (Conover, Practical Nonparametric Statistics, 3.2.)
 *
 * @returns null without values
 */
export function medianInterval(values: readonly number[]): MedianInterval | null {
  const sorted = values.toSorted((a, b) => a - b)
  const n = sorted.length
  const [lower, upper] = [sorted[Math.ceil(n / 2) - 1], sorted[Math.floor(n / 2)]]
  if (lower === undefined || upper === undefined) return null
  let term = 0.5 ** n
  let below = term
  let found: MedianInterval['interval'] = null
  for (let k = 1; k <= n / 2; k += 1) {
    const coverage = 1 - 2 * below
    const [low, high] = [sorted[k - 1], sorted[n - k]]
    if (coverage < CONFIDENCE || low === undefined || high === undefined) break
    found = { low, high, coverage }
    term *= (n - k + 1) / k
    below += term
  }
  return { median: (lower + upper) / 2, interval: found }
}
