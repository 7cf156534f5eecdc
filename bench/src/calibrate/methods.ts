/** Alternative ways to keep the false claims of a sweep rare, to compare with the product's. Pure. */
import { criticalValue } from '@expresslane/shared/compare/stats/many-to-one'
import { rankTest } from '@expresslane/shared/compare/stats/rank-test'
import { seeded } from '@expresslane/shared/compare/stats/random'
import { claimsOf, type Claims, type SweepValues } from './sweep.ts'

const LEVEL = 0.05

function armsOf(values: SweepValues): { first: readonly number[]; others: readonly (readonly number[])[] }[] {
  return values.map(([first = [], ...others]) => ({ first, others }))
}

function rankP(values: SweepValues): number[][] {
  return armsOf(values).map(({ first, others }) => others.map((arm) => rankTest(first, arm).p))
}

/** Every cell at the 5 % of a single comparison. */
function none(values: SweepValues): Claims {
  return rankP(values).map((arms) => arms.map((p) => p < LEVEL))
}

/** Holm, A simple sequentially rejective multiple test procedure, Scandinavian Journal of Statistics 6, 1979. */
function holm(values: SweepValues): Claims {
  const p = rankP(values)
  const sorted = p.flat().toSorted((a, b) => a - b)
  const refused = sorted.findIndex((one, index) => one > LEVEL / (sorted.length - index))
  const bound = refused < 0 ? 1 : (sorted[refused] ?? 0)
  return p.map((arms) => arms.map((one) => one < bound))
}

/** Each limit by itself at 5 % / 4, from the largest size down, until one shows no difference. */
function fixedSequence(values: SweepValues): Claims {
  const p = rankP(values)
  const limits = p[0]?.length ?? 0
  return p.map((arms, of) => arms.map((_, arm) => p.slice(of).every((larger) => (larger[arm] ?? 1) <= LEVEL / limits)))
}

/** By case, the means of the logarithms of the arms, and the spread that they share. */
function momentsOf(values: SweepValues): { means: number[]; spread: number; runs: number }[] {
  return values.map((arms) => {
    const logs = arms.map((taken) => taken.map(Math.log))
    const runs = logs[0]?.length ?? 0
    const means = logs.map((of) => of.reduce((sum, one) => sum + one, 0) / runs)
    const squares = logs.flatMap((of, arm) => of.map((one) => (one - (means[arm] ?? 0)) ** 2))
    const spread = Math.sqrt(squares.reduce((sum, one) => sum + one, 0) / (arms.length * (runs - 1)))
    return { means, spread, runs }
  })
}

function distances(values: SweepValues): number[][] {
  return momentsOf(values).map(({ means: [first = 0, ...others], spread, runs }) =>
    others.map((mean) => Math.abs(mean - first) / (spread * Math.sqrt(2 / runs))),
  )
}

/** Dunnett and Šidák as chosen, but without the rank test and the guard against arms of a larger spread. */
function unguarded(values: SweepValues): Claims {
  const groups = armsOf(values).map(({ first, others }) => ({
    first: first.length,
    others: others.map(({ length }) => length),
  }))
  const critical = criticalValue(groups)
  return distances(values).map((arms) => arms.map((t) => t > critical))
}

const PERMUTATIONS = 200

/**
 * Westfall and Young (Resampling-Based Multiple Testing, 1993), in a single step: the arms are exchanged within each
 * round, in all sizes alike, and a cell must exceed the largest distance of each such sweep.
 */
function largestPermuted(values: SweepValues): Claims {
  const random = seeded(1)
  const arms = values[0]?.length ?? 0
  const rounds = values[0]?.[0]?.length ?? 0
  const shuffled = (): number[] => {
    const order = Array.from({ length: arms }, (_, index) => index)
    for (let last = arms - 1; last > 0; last -= 1) {
      const other = Math.floor(random() * (last + 1))
      ;[order[last], order[other]] = [order[other] ?? 0, order[last] ?? 0]
    }
    return order
  }
  const largest = Array.from({ length: PERMUTATIONS }, () => {
    const orders = Array.from({ length: rounds }, shuffled)
    const permuted = values.map((of) =>
      of.map((_, arm) => orders.map((order, round) => of[order[arm] ?? 0]?.[round] ?? Number.NaN)),
    )
    return Math.max(...distances(permuted).flat())
  }).toSorted((a, b) => a - b)
  const critical = largest[Math.ceil((PERMUTATIONS + 1) * (1 - LEVEL)) - 1] ?? Number.POSITIVE_INFINITY
  return distances(values).map((of) => of.map((t) => t > critical))
}

export const methods: readonly { readonly name: string; readonly judge: (values: SweepValues) => Claims }[] = [
  { name: 'each by itself', judge: none },
  { name: 'Holm', judge: holm },
  { name: 'fixed sequence', judge: fixedSequence },
  { name: 'max-T permutation', judge: largestPermuted },
  { name: 'Dunnett, Šidák', judge: unguarded },
  { name: 'chosen', judge: claimsOf },
]
