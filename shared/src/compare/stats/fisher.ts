/** Tests whether something happens to one group's people more often than to another's. Pure. */

/** How many people of a group it happened to. */
export interface Counted {
  readonly hit: number
  readonly of: number
}

/** ln(n!) for 0 to `most`. */
function logFactorials(most: number): number[] {
  const sums = [0]
  for (let n = 1; n <= most; n += 1) sums.push((sums[n - 1] ?? 0) + Math.log(n))
  return sums
}

/**
 * Fisher's exact test, one-sided: the probability that at least so many of the people hit are in the first group, if the
 * groups do not differ (the upper tail of the hypergeometric distribution; Fisher, Journal of the Royal Statistical Society 85, 1922).
 */
export function moreOften(first: Counted, second: Counted): number {
  const all = first.of + second.of
  const hit = first.hit + second.hit
  const logs = logFactorials(all)
  const ways = (n: number, k: number): number => (logs[n] ?? 0) - (logs[k] ?? 0) - (logs[n - k] ?? 0)
  let tail = 0
  for (let one = first.hit; one <= Math.min(first.of, hit); one += 1) {
    if (hit - one > second.of) continue
    tail += Math.exp(ways(first.of, one) + ways(second.of, hit - one) - ways(all, hit))
  }
  return Math.min(1, tail)
}
