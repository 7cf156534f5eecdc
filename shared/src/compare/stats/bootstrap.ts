/** A 95 % interval of the ratio of two medians. */
import { seeded } from './random.ts'

export const SEED = 20_260_101
export const RESAMPLES = 4000
const TAIL = 0.025

/** The order statistics of each resample's median: one, or the mean of two. */
interface Middles {
  readonly lower: Uint16Array
  readonly upper: Uint16Array
}

const HALF = RESAMPLES / 2
const known = new Map<string, Middles>()

/**
 * The ranks of a resample's median depend on the draw and on the number of values, not on the values. They are drawn once
 * for each count, so a comparison needs only two look-ups per resample. The order of the values and their unit do not
 * matter either.
 */
function middlesOf(count: number, stream: 0 | 1): Middles {
  const key = `${count} ${stream}`
  const before = known.get(key)
  if (before !== undefined) return before
  const random = seeded(SEED + stream)
  const made: Middles = { lower: new Uint16Array(HALF), upper: new Uint16Array(HALF) }
  const drawn = new Uint16Array(count)
  for (let at = 0; at < HALF; at += 1) {
    for (let index = 0; index < count; index += 1) drawn[index] = Math.floor(random() * count)
    drawn.sort()
    made.lower[at] = drawn[(count - 1) >> 1] ?? 0
    made.upper[at] = drawn[count >> 1] ?? 0
  }
  known.set(key, made)
  return made
}

function mediansOf(sorted: Float64Array, stream: 0 | 1): Float64Array {
  const { lower, upper } = middlesOf(sorted.length, stream)
  const medians = new Float64Array(HALF)
  for (let at = 0; at < HALF; at += 1) {
    medians[at] = ((sorted[lower[at] ?? 0] ?? 0) + (sorted[upper[at] ?? 0] ?? 0)) / 2
  }
  return medians
}

/**
 * The percentile interval (Efron, 1979) of `median(on) / median(off)` from {@link RESAMPLES} resamples of both arms. Each
 * pair of draws is used twice, with the arms exchanged: the interval of `off / on` is then exactly the inverse.
 *
 * @param off values above 0 @param on likewise
 * @returns null if a resample has no ratio
 */
export function ratioInterval(off: readonly number[], on: readonly number[]): { low: number; high: number } | null {
  const [before, after] = [Float64Array.from(off).toSorted(), Float64Array.from(on).toSorted()]
  const ratios = new Float64Array(RESAMPLES)
  for (const stream of [0, 1] as const) {
    const below = mediansOf(before, stream)
    const above = mediansOf(after, stream === 0 ? 1 : 0)
    for (let at = 0; at < HALF; at += 1) ratios[stream * HALF + at] = (above[at] ?? 0) / (below[at] ?? 0)
  }
  ratios.sort()
  const cut = Math.floor(RESAMPLES * TAIL)
  const [low, high] = [ratios[cut] ?? Number.NaN, ratios[RESAMPLES - 1 - cut] ?? Number.NaN]
  return Number.isFinite(low) && Number.isFinite(high) ? { low, high } : null
}
