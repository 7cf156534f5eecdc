import { describe, expect, it } from 'vitest'
import { medianInterval } from '../../../src/compare/stats/median-interval.ts'
import { seeded } from '../../../src/compare/stats/random.ts'

const upTo = (n: number): number[] => Array.from({ length: n }, (_, index) => index + 1)

describe('the interval of a median', () => {
  it('has the ranks and the coverage of published tables', () => {
    // n, rank of the lower end, coverage: Conover, table A3; also R's qbinom(0.025, n, 0.5).
    const table = [
      [6, 1, 0.96875],
      [8, 1, 0.9921875],
      [9, 2, 0.9609375],
      [10, 2, 0.978515625],
      [15, 4, 0.96484375],
      [20, 6, 0.958610534667969],
      [30, 10, 0.957226],
    ] as const
    for (const [n, rank, coverage] of table) {
      const { interval } = medianInterval(upTo(n)) ?? { interval: null }
      expect(interval, `${n}`).toMatchObject({ low: rank, high: n + 1 - rank })
      expect(interval?.coverage).toBeCloseTo(coverage, 6)
    }
  })

  it('does not exist with fewer than six values, and the median does', () => {
    expect(medianInterval([])).toBeNull()
    expect(medianInterval([3])).toEqual({ median: 3, interval: null })
    expect(medianInterval([5, 1, 2, 4])).toEqual({ median: 3, interval: null })
    expect(medianInterval(upTo(5))).toEqual({ median: 3, interval: null })
  })

  it('holds the median of a skewed distribution as often as it says', () => {
    const random = seeded(7)
    const trials = 2000
    const held = Array.from({ length: trials }, () => {
      const values = Array.from({ length: 9 }, () => -Math.log(1 - random()))
      const { interval } = medianInterval(values) ?? { interval: null }
      return interval !== null && interval.low <= Math.LN2 && Math.LN2 <= interval.high
    }).filter(Boolean).length
    // Within four standard errors of 0.9609.
    expect(Math.abs(held / trials - 0.9609)).toBeLessThan(0.018)
  })
})
