/** Against SciPy: shared/test/fixtures/stats/reference.py made the values. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ratioInterval } from '../../../src/compare/stats/bootstrap.ts'
import { twoSidedTail, rankTest } from '../../../src/compare/stats/rank-test.ts'
import { trendOf } from '../../../src/compare/stats/trend.ts'

const values = z.array(z.number())
const arms = { off: values, on: values }
const reference = z
  .object({
    ranks: z.array(z.object({ ...arms, u: z.number(), p: z.number(), delta: z.number() })),
    intervals: z.array(z.object({ ...arms, low: z.number(), high: z.number() })),
    trends: z.array(z.object({ values, p: z.number(), slope: z.number() })),
    tails: z.array(z.object({ z: z.number(), p: z.number() })),
  })
  .parse(JSON.parse(readFileSync(new URL('../../fixtures/stats/reference.json', import.meta.url), 'utf8')))

describe('against SciPy', () => {
  it.each(reference.ranks)('mannwhitneyu, ties or none, exact and approximate: p = $p', ({ off, on, u, p, delta }) => {
    const test = rankTest(off, on)
    expect(test.u).toBe(u)
    expect(test.p).toBeCloseTo(p, 6)
    expect(test.delta).toBeCloseTo(delta, 12)
  })

  it.each(reference.intervals)('bootstrap of the ratio of medians: $low to $high', ({ off, on, low, high }) => {
    const interval = ratioInterval(off, on)
    // Ours has fewer resamples; the medians of so few runs go in steps.
    const width = high - low
    expect(Math.abs((interval?.low ?? 0) - low)).toBeLessThan(width * 0.05)
    expect(Math.abs((interval?.high ?? 0) - high)).toBeLessThan(width * 0.05)
  })

  it.each(reference.trends)('kendalltau and theilslopes: p = $p', ({ values: taken, p, slope }) => {
    const trend = trendOf([{ at: taken.map((_, index) => index), values: taken }])
    expect(trend?.p).toBeCloseTo(p, 6)
    expect(trend?.slope).toBeCloseTo(slope, 10)
  })

  it.each(reference.tails)('norm.sf at $z', ({ z: at, p }) => {
    expect(twoSidedTail(at) / p).toBeCloseTo(1, 6)
  })
})
