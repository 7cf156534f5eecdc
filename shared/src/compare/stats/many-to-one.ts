/** How large the differences of several arms from one common arm become by chance: Dunnett's test. Pure. */
import { twoSidedTail } from './rank-test.ts'

/** The runs of the arms of one case. */
export interface Group {
  /** The number of runs of the common arm. */
  readonly first: number
  /** The number of runs of each other arm; not empty. */
  readonly others: readonly number[]
}

/** The probability that a standard normal variable is above `z`. */
function above(z: number): number {
  return z >= 0 ? twoSidedTail(z) / 2 : 1 - twoSidedTail(z) / 2
}

interface Node {
  readonly at: number
  readonly weight: number
}

/** Finer steps change the fifth digit, or the fourth where one arm has ten times the runs of another. */
const STEP = 0.5
/** The normal distribution from 0 up: both halves give the same. */
const normalNodes: readonly Node[] = Array.from({ length: 17 }, (_, index) => ({
  at: index * STEP,
  weight: ((index === 0 ? 1 : 2) * STEP * Math.exp(-((index * STEP) ** 2) / 2)) / Math.sqrt(2 * Math.PI),
}))

/** The density of the chi distribution below this share of its highest value does not count: e^-38. */
const NEGLIGIBLE = 38
const SCALE_NODES = 32
const scales = new Map<number, readonly Node[]>()

/** The logarithm of the density of ln s, up to a constant, where `freedom` s² is chi-square: highest at 0. */
function logDensity(u: number, freedom: number): number {
  return freedom * (u - Math.expm1(2 * u) / 2)
}

/** Where the density ends, on one side of its highest value. */
function endOf(freedom: number, side: 1 | -1): number {
  let [inner, outer]: [number, number] = [0, side]
  while (logDensity(outer, freedom) > -NEGLIGIBLE) outer *= 2
  for (let round = 0; round < 40; round += 1) {
    const middle = (inner + outer) / 2
    if (logDensity(middle, freedom) > -NEGLIGIBLE) inner = middle
    else outer = middle
  }
  return outer
}

/** The estimated standard deviation as a multiple of the true one. */
function scaleNodes(freedom: number): readonly Node[] {
  const before = scales.get(freedom)
  if (before !== undefined) return before
  const [from, to] = [endOf(freedom, -1), endOf(freedom, 1)]
  const places = Array.from({ length: SCALE_NODES + 1 }, (_, index) => from + ((to - from) * index) / SCALE_NODES)
  const densities = places.map((u) => Math.exp(logDensity(u, freedom)))
  const all = densities.reduce((sum, one) => sum + one, 0)
  const made = places.map((u, index) => ({ at: Math.exp(u), weight: (densities[index] ?? 0) / all }))
  scales.set(freedom, made)
  return made
}

/** Degrees of freedom of the spread that all arms of a case share. */
export function freedomOf({ first, others }: Group): number {
  return [first, ...others].reduce((sum, runs) => sum + runs - 1, 0)
}

/**
 * The chance that any |T| of one case is above `t` while no arm differs, T being the difference of two means by its
 * standard error from the spread that all arms share. The double integral of Dunnett (A multiple comparison procedure for
 * comparing several treatments with a control, JASA 50, 1955), over the common arm's mean and over the spread, by the
 * trapezoid rule.
 */
function chanceIn(t: number, group: Group): number {
  const byRuns = [...Map.groupBy(group.others, (runs) => runs)].map(([runs, { length }]) => ({ runs, length }))
  const common = Math.sqrt(1 / group.first)
  let chance = 0
  for (const { at: scale, weight } of scaleNodes(freedomOf(group))) {
    for (const { at: z, weight: share } of normalNodes) {
      let logInside = 0
      for (const { runs, length } of byRuns) {
        const [own, both] = [Math.sqrt(1 / runs), Math.sqrt(1 / runs + 1 / group.first)]
        const outside = above((common * z + t * scale * both) / own) + above((t * scale * both - common * z) / own)
        logInside += length * Math.log1p(-Math.min(1, outside))
      }
      chance -= weight * share * Math.expm1(logInside)
    }
  }
  return Math.min(1, Math.max(0, chance))
}

/** Cases with the same numbers of runs have the same chance. */
function distinctOf(
  groups: readonly Group[],
): { readonly group: Group; readonly count: number; readonly key: string }[] {
  const sorted = groups.map(({ first, others }) => ({ first, others: others.toSorted((a, b) => a - b) }))
  const alike = Map.groupBy(sorted, ({ first, others }) => `${first}:${others.join(',')}`)
  return [...alike]
    .flatMap(([key, [group, ...more]]) => (group === undefined ? [] : [{ key, group, count: more.length + 1 }]))
    .toSorted((a, b) => (a.key < b.key ? -1 : 1))
}

/**
 * The chance that any |T| of any case is above `t` while no arm differs in any case: `1 − ∏ (1 − chance of a case)`, which
 * holds for cases that are independent, and is an upper bound otherwise (Šidák, Rectangular confidence regions for the
 * means of multivariate normal distributions, JASA 62, 1967).
 */
export function chanceAbove(t: number, groups: readonly Group[]): number {
  const logInside = distinctOf(groups).reduce(
    (sum, { group, count }) => sum + count * Math.log1p(-Math.min(1, chanceIn(t, group))),
    0,
  )
  return Math.max(0, -Math.expm1(logInside))
}

const FAMILY_ERROR = 0.05
const HIGHEST = 1000
/** By the numbers of runs. An experiment asks for few of them, again and again. */
const criticals = new Map<string, number>()
const KEPT = 500

/** The |T| that the largest one exceeds with a chance of 5 %. @param groups at least one */
export function criticalValue(groups: readonly Group[]): number {
  const key = distinctOf(groups)
    .map(({ key: one, count }) => `${count}x${one}`)
    .join(' ')
  const before = criticals.get(key)
  if (before !== undefined) return before
  let [low, high] = [1, 4]
  while (chanceAbove(high, groups) > FAMILY_ERROR && high < HIGHEST) [low, high] = [high, high * 2]
  while (high - low > 1e-6) {
    const middle = (low + high) / 2
    if (chanceAbove(middle, groups) > FAMILY_ERROR) low = middle
    else high = middle
  }
  if (criticals.size >= KEPT) criticals.clear()
  criticals.set(key, high)
  return high
}
