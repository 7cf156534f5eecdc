import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { niceTicks, tickWords } from '../../src/charts/draw/ticks.ts'

describe('niceTicks', () => {
  it('ends at or above the value, not far above, in a few equal steps', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.001, max: 1e9, noNaN: true }), (value) => {
        const ticks = niceTicks(value)
        const [last, first] = [ticks.at(-1) ?? 0, ticks[1] ?? 0]
        expect(last).toBeGreaterThanOrEqual(value * (1 - 1e-6))
        expect(last - first).toBeLessThan(value)
        expect(ticks.length).toBeLessThanOrEqual(6)
      }),
    )
  })

  it('makes an axis for 0', () => {
    expect([niceTicks(0), niceTicks(Number.NaN)]).toEqual([
      [0, 1],
      [0, 1],
    ])
  })

  it('is finite and ends for every number, the smallest and the largest too', () => {
    for (const value of [Number.MIN_VALUE, 2 ** -1022, 1e-308, Number.MAX_VALUE, Number.POSITIVE_INFINITY]) {
      const ticks = niceTicks(value)
      expect(ticks.length).toBeLessThanOrEqual(6)
      expect(ticks.every(Number.isFinite)).toBe(true)
      expect(ticks.at(-1)).toBeGreaterThan(0)
    }
    fc.assert(
      fc.property(fc.double({ min: 0, noNaN: true }), (value) => {
        const ticks = niceTicks(value)
        expect(ticks.length).toBeLessThanOrEqual(6)
        expect(ticks.every(Number.isFinite)).toBe(true)
      }),
    )
  })
})

it('names a tick in few characters', () => {
  expect([0, 0.05, 2.5, 850, 12_500, 3_000_000].map(tickWords)).toEqual(['0', '0.05', '2.5', '850', '12.5k', '3M'])
})
