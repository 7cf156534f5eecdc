import { describe, expect, it } from 'vitest'
import { chanceAbove, criticalValue } from '../../../src/compare/stats/many-to-one.ts'
import { normal, seeded, type Random } from '../../../src/compare/stats/random.ts'

const alike = (runs: number, arms: number) => ({ first: runs, others: Array.from({ length: arms }, () => runs) })

describe('the critical value', () => {
  // Dunnett, New tables for multiple comparisons with a control, Biometrics 20, 1964, table II; one arm is Student's t.
  it.each([
    [alike(11, 1), 2.086],
    [alike(3, 1), 2.776],
    [{ first: 5, others: [5, 5] }, 2.5],
    [alike(5, 4), 2.65],
    [alike(5000, 4), 2.44],
  ])('is the tables’: %j', (group, table) => {
    expect(criticalValue([group])).toBeCloseTo(table, 2)
  })

  it('grows with the arms and with the cases, and shrinks with the runs', () => {
    const of = (runs: number, arms: number, cases: number) =>
      criticalValue(Array.from({ length: cases }, () => alike(runs, arms)))
    expect(of(6, 4, 7)).toBeGreaterThan(of(6, 3, 7))
    expect(of(6, 4, 7)).toBeGreaterThan(of(6, 4, 6))
    expect(of(6, 4, 7)).toBeLessThan(of(5, 4, 7))
  })

  it('is exceeded with a chance of 5 %, and does not depend on the order', () => {
    const groups = [{ first: 6, others: [4, 6, 5] }, alike(8, 2), alike(4, 1)]
    expect(chanceAbove(criticalValue(groups), groups)).toBeCloseTo(0.05, 6)
    const turned = groups.toReversed().map(({ first, others }) => ({ first, others: others.toReversed() }))
    expect(criticalValue(turned)).toBe(criticalValue(groups))
  })
})

/** The largest |T| of one case whose arms do not differ. */
function largest({ first, others }: ReturnType<typeof alike>, random: Random): number {
  const arms = [first, ...others].map((runs) => Array.from({ length: runs }, () => normal(random)))
  const means = arms.map((values) => values.reduce((sum, one) => sum + one, 0) / values.length)
  const squares = arms.flatMap((values, arm) => values.map((one) => (one - (means[arm] ?? 0)) ** 2))
  const freedom = squares.length - arms.length
  const variance = squares.reduce((sum, one) => sum + one, 0) / freedom
  const t = others.map(
    (runs, arm) => Math.abs((means[arm + 1] ?? 0) - (means[0] ?? 0)) / Math.sqrt(variance * (1 / first + 1 / runs)),
  )
  return Math.max(...t)
}

describe('the chance', () => {
  it('is the share of simulated experiments, with different numbers of runs, too', () => {
    const groups = [{ first: 4, others: [6, 8] }, alike(5, 3)]
    const [random, count] = [seeded(7), 20_000]
    const drawn = Array.from({ length: count }, () => Math.max(...groups.map((group) => largest(group, random))))
    for (const t of [1.5, 2.5, 3.5]) {
      const share = drawn.filter((one) => one > t).length / count
      expect(Math.abs(share - chanceAbove(t, groups))).toBeLessThan(0.011)
    }
  })

  it('is 1 at 0, almost 0 far away, and never grows', () => {
    const groups = Array.from({ length: 7 }, () => alike(6, 4))
    const chances = Array.from({ length: 30 }, (_, index) => chanceAbove(index / 2, groups))
    expect(chances[0]).toBeCloseTo(1, 9)
    expect(chances.at(-1)).toBeLessThan(1e-9)
    expect(chances.every((one, index) => index === 0 || one <= (chances[index - 1] ?? 1) + 1e-12)).toBe(true)
    expect(chanceAbove(Number.POSITIVE_INFINITY, groups)).toBe(0)
  })
})
