/** Repeatable random numbers: the same seed gives the same numbers on every machine. */

/** Uniform numbers in [0, 1). */
export type Random = () => number

/** mulberry32 (Tommy Ettinger, public domain): 32 bits of state, enough for some 2^30 draws. */
export function seeded(seed: number): Random {
  let state = seed | 0
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A draw of the standard normal distribution, after Box and Muller. */
export function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}
