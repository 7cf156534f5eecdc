import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { changePoints } from '../../../src/compare/stats/change-points.ts'

const FLOOR = 0.005
const level = fc.double({ min: 0.001, max: 1e9, noNaN: true })
const many = (value: number, count: number): number[] => Array.from({ length: count }, () => value)

describe('change points', () => {
  it('are none without two values, and none where a value has no logarithm', () => {
    for (const values of [[], [3], [1, 2, 0, 4], [1, -2], [1, Number.NaN]])
      expect(changePoints(values, FLOOR)).toEqual([])
  })

  it('are none in a constant series', () => {
    fc.assert(
      fc.property(level, fc.integer({ min: 2, max: 60 }), (value, count) => {
        expect(changePoints(many(value, count), FLOOR)).toEqual([])
      }),
    )
  })

  it('are none as long as all values differ by less than the smallest change that counts', () => {
    const noise = fc.array(fc.double({ min: 1, max: 1.0049, noNaN: true }), { minLength: 2, maxLength: 60 })
    fc.assert(
      fc.property(noise, (values) => {
        expect(changePoints(values, FLOOR)).toEqual([])
      }),
    )
  })

  it('are exactly where a step was planted, with the levels on both sides', () => {
    const step = fc.oneof(
      fc.double({ min: 1.006, max: 20, noNaN: true }),
      fc.double({ min: 0.05, max: 0.994, noNaN: true }),
    )
    const count = fc.integer({ min: 1, max: 40 })
    fc.assert(
      fc.property(level, step, count, count, (value, by, before, after) => {
        const found = changePoints([...many(value, before), ...many(value * by, after)], FLOOR)
        expect(found).toEqual([{ at: before, before: expect.any(Number), after: expect.any(Number) }])
        expect((found[0]?.before ?? 0) / value).toBeCloseTo(1, 9)
        expect((found[0]?.after ?? 0) / (value * by)).toBeCloseTo(1, 9)
      }),
    )
  })

  it('do not depend on the unit', () => {
    const values = fc.array(fc.double({ min: 0.5, max: 2, noNaN: true }), { minLength: 2, maxLength: 30 })
    fc.assert(
      fc.property(values, (series) => {
        const places = (of: readonly number[]): number[] => changePoints(of, FLOOR).map(({ at }) => at)
        expect(places(series.map((value) => value * 1024))).toEqual(places(series))
      }),
    )
  })

  it('are two around a single kernel that differs, and each step of stairs', () => {
    const places = (of: readonly number[]): number[] => changePoints(of, FLOOR).map(({ at }) => at)
    expect(places([100, 100.1, 100, 103, 100, 99.9])).toEqual([3, 4])
    expect(places([100, 100.2, 102, 102.1, 104, 104])).toEqual([2, 4])
  })
})
