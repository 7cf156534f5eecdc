/** Judges all comparisons of one experiment together, so that a difference by chance is rare in the whole of it. Pure. */
import { chanceAbove, criticalValue, freedomOf, type Group } from './stats/many-to-one.ts'
import { LEAST_RUNS } from './stats/rank-test.ts'

/** The values of one case by arm: the first arm's, then the values of each arm that is compared with it. */
export interface CaseValues {
  readonly first: readonly number[]
  readonly others: readonly { readonly arm: string; readonly values: readonly number[] }[]
}

/** How one comparison stands among all of its experiment. */
export interface Joint {
  /** The chance that any comparison of the experiment seems this far apart while no arm differs. */
  readonly p: number
  /** The simultaneous 95 % interval of the ratio: in 95 % of experiments, all intervals contain their true ratio. */
  readonly interval: { readonly low: number; readonly high: number }
}

interface Spread {
  readonly runs: number
  readonly mean: number
  readonly squares: number
}

function spreadOf(values: readonly number[]): Spread {
  const logs = values.map(Math.log)
  const mean = logs.reduce((sum, one) => sum + one, 0) / logs.length
  return { runs: logs.length, mean, squares: logs.reduce((sum, one) => sum + (one - mean) ** 2, 0) }
}

interface Case {
  readonly group: Group
  readonly first: Spread
  readonly others: ReadonlyMap<string, Spread>
  /** The variance within an arm that all arms share. */
  readonly shared: number
}

function hasLogarithms(values: readonly number[]): boolean {
  return values.length >= LEAST_RUNS && values.every((value) => value > 0)
}

function caseOf({ first: baseline, others: compared }: CaseValues): Case | null {
  const known = compared.filter(({ values }) => hasLogarithms(values))
  if (known.length === 0 || !hasLogarithms(baseline)) return null
  const first = spreadOf(baseline)
  const others = new Map(known.map(({ arm, values }) => [arm, spreadOf(values)]))
  const group = { first: first.runs, others: [...others.values()].map(({ runs }) => runs) }
  const squares = [first, ...others.values()].reduce((sum, one) => sum + one.squares, 0)
  return { group, first, others, shared: squares / freedomOf(group) }
}

/**
 * Dunnett's comparison of several arms with one (JASA 50, 1955) on the logarithms of each case, with one critical value for
 * the largest difference of all cases (Šidák, JASA 62, 1967). The p-values are adjusted in a single step, so each says the
 * same as its interval. An arm with a larger spread than all arms share counts with its own: equal spreads then cost some
 * power, and unequal ones hardly cause false claims. `docs/statistics.md` compares this with other methods.
 *
 * @returns for each case, the judgement by arm; an arm without enough values above 0 is left out
 */
export function judgeTogether(cases: readonly CaseValues[]): ReadonlyMap<string, Joint>[] {
  const known = cases.map(caseOf)
  const groups = known.flatMap((one) => one?.group ?? [])
  if (groups.length === 0) return cases.map(() => new Map())
  const critical = criticalValue(groups)
  return known.map((one) => {
    if (one === null) return new Map()
    const varianceOf = ({ squares, runs }: Spread): number => Math.max(one.shared, squares / (runs - 1)) / runs
    const judge = (other: Spread): Joint => {
      const [difference, error] = [other.mean - one.first.mean, Math.sqrt(varianceOf(one.first) + varianceOf(other))]
      const t = difference === 0 ? 0 : Math.abs(difference) / error
      const [low, high] = [-1, 1].map((side) => Math.exp(difference + side * critical * error)) as [number, number]
      return { p: chanceAbove(t, groups), interval: { low, high } }
    }
    return new Map([...one.others].map(([arm, other]) => [arm, judge(other)]))
  })
}
