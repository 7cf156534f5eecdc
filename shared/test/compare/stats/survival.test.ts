/** Times with people who still wait, and counts of two groups, against published results. */
import { describe, expect, it } from 'vitest'
import { moreOften } from '../../../src/compare/stats/fisher.ts'
import { logRank, timeOf, type Wait } from '../../../src/compare/stats/survival.ts'

/** Weeks of remission in Freireich's trial (Blood 21, 1963), in Gehan's table (Biometrika 52, 1965); a + was still in remission. */
const weeks = (text: string): Wait[] =>
  text.split(' ').map((one) => ({ time: Number.parseInt(one, 10), ended: !one.endsWith('+') }))
const treated = weeks('6 6 6 6+ 7 9+ 10 10+ 11+ 13 16 17+ 19+ 20+ 22 23 25+ 32+ 32+ 34+ 35+')
const placebo = weeks('1 1 2 2 3 4 4 5 5 8 8 8 8 11 11 12 12 15 17 22 23')

describe('a median with people who still wait', () => {
  it('is that of the published trial', () => {
    expect(timeOf(0.5, treated)).toBe(23)
    expect(timeOf(0.5, placebo)).toBe(8)
    expect(timeOf(0.25, treated)).toBe(13)
  })

  it('is unknown while more than half wait, and of nobody', () => {
    expect(timeOf(0.75, treated)).toBeNull()
    expect(timeOf(0.5, [])).toBeNull()
  })

  it('grows when somebody has waited longer without an end', () => {
    const done = [1, 2, 3, 4].map((time) => ({ time, ended: true }))
    expect(timeOf(0.5, done)).toBe(2)
    expect(timeOf(0.5, [...done, { time: 9, ended: false }, { time: 9, ended: false }])).toBe(3)
  })
})

describe('the log-rank test', () => {
  it('is that of the published trial: chi-square 16.79', () => {
    const forwards = logRank([{ slow: treated, fast: placebo }])
    expect(forwards ** 2).toBeCloseTo(16.79, 2)
    expect(forwards).toBeGreaterThan(0)
    expect(logRank([{ slow: placebo, fast: treated }])).toBeCloseTo(-forwards, 9)
  })

  it('sees in strata that each person is slower, however different the people are', () => {
    const person = (pace: number) => ({
      slow: [{ time: 3 * pace, ended: true }],
      fast: [1, 2].map((time) => ({ time: time * pace, ended: true })),
    })
    const people = Array.from({ length: 9 }, (_, index) => person(10 ** index))
    const together = { slow: people.flatMap(({ slow }) => slow), fast: people.flatMap(({ fast }) => fast) }
    expect(logRank(people)).toBeGreaterThan(3)
    expect(logRank([together])).toBeLessThan(1)
  })

  it('says nothing without events', () => {
    expect(logRank([{ slow: [{ time: 1, ended: false }], fast: [{ time: 2, ended: false }] }])).toBe(0)
    expect(logRank([])).toBe(0)
  })
})

describe('Fisher’s exact test', () => {
  it('is that of the lady who tasted tea: 3 of 4 cups by chance in 17 of 70 cases', () => {
    expect(moreOften({ hit: 3, of: 4 }, { hit: 1, of: 4 })).toBeCloseTo(17 / 70, 9)
    expect(moreOften({ hit: 4, of: 4 }, { hit: 0, of: 4 })).toBeCloseTo(1 / 70, 9)
  })

  it('is sure to see at least nobody', () => {
    expect(moreOften({ hit: 0, of: 9 }, { hit: 5, of: 9 })).toBeCloseTo(1, 9)
    expect(moreOften({ hit: 0, of: 0 }, { hit: 0, of: 0 })).toBe(1)
  })
})
