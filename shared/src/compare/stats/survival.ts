/** Times to an event, where some people are still waiting for it: the Kaplan-Meier estimate and the log-rank test. Pure. */

/** How long somebody was watched. */
export interface Wait {
  /** In any unit; not negative. */
  readonly time: number
  /** False if the watch ended before the event: the true time is longer (right-censored). */
  readonly ended: boolean
}

/**
 * The time by which a share of the people has had the event: the least t with S(t) ≤ 1 − share, where S is the product-limit
 * estimate (Kaplan and Meier, Journal of the American Statistical Association 53, 1958).
 *
 * @param share above 0 and below 1: 0.5 for the median
 * @returns null if too few had it: the time is then longer than all that were watched
 */
export function timeOf(share: number, waits: readonly Wait[]): number | null {
  // At equal times the event comes first: a watch that ends then has not missed it.
  const sorted = waits.toSorted((a, b) => a.time - b.time || Number(b.ended) - Number(a.ended))
  let survival = 1
  for (const [index, { time, ended }] of sorted.entries()) {
    if (!ended) continue
    const watched = sorted.length - index
    survival *= (watched - 1) / watched
    // The product of exact fractions can miss the share by its rounding.
    if (survival <= 1 - share + 1e-12) return time
  }
  return null
}

/** People who differ only in the group, such as one person's times at several places. */
export interface Stratum {
  readonly slow: readonly Wait[]
  readonly fast: readonly Wait[]
}

/** By how many events the first group is behind, and the variance of that number while the groups do not differ. */
function behind({ slow, fast }: Stratum): { readonly events: number; readonly variance: number } {
  const all = [...slow.map((wait) => ({ ...wait, slow: 1 })), ...fast.map((wait) => ({ ...wait, slow: 0 }))]
  const at = Map.groupBy(all, ({ time }) => time)
  let [watched, watchedSlow, late, variance] = [all.length, slow.length, 0, 0]
  for (const time of [...at.keys()].toSorted((a, b) => a - b)) {
    const here = at.get(time) ?? []
    const events = here.filter(({ ended }) => ended)
    const share = watchedSlow / watched
    late += events.length * share - events.reduce((sum, one) => sum + one.slow, 0)
    if (watched > 1) variance += (events.length * share * (1 - share) * (watched - events.length)) / (watched - 1)
    watched -= here.length
    watchedSlow -= here.reduce((sum, one) => sum + one.slow, 0)
  }
  return { events: late, variance }
}

/**
 * The stratified log-rank statistic (Mantel, Cancer Chemotherapy Reports 50, 1966): about standard normal while both groups have the
 * event equally fast within each stratum, and above 0 if `slow` has it later than `fast`. 0 without events.
 */
export function logRank(strata: readonly Stratum[]): number {
  const each = strata.map(behind)
  const variance = each.reduce((sum, one) => sum + one.variance, 0)
  return variance === 0 ? 0 : each.reduce((sum, { events }) => sum + events, 0) / Math.sqrt(variance)
}
