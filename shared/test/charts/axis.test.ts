import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { numberAxis, ratioAxis, ratioStrength } from '../../src/charts/draw/axis.ts'

describe('ratioAxis', () => {
  const interval = fc
    .tuple(fc.double({ min: 0.1, max: 9, noNaN: true }), fc.double({ min: 1, max: 3, noNaN: true }))
    .map(([low, by]) => ({ ratio: low * Math.sqrt(by), interval: { low, high: low * by } }))

  it('has room for every interval and for the line of no change, in order', () => {
    fc.assert(
      fc.property(fc.array(interval, { minLength: 1, maxLength: 8 }), (rows) => {
        const { place, ticks } = ratioAxis(rows)
        expect(ticks).toContain(1)
        for (const ratio of [1, ...rows.flatMap((row) => [row.interval.low, row.interval.high])]) {
          expect(place(ratio)).toBeGreaterThanOrEqual(0)
          expect(place(ratio)).toBeLessThanOrEqual(100)
        }
        for (const row of rows) expect(place(row.interval.low)).toBeLessThanOrEqual(place(row.interval.high))
      }),
    )
  })

  it('labels twice and half equally far from no change, and no two labels over each other', () => {
    const { place, ticks } = ratioAxis([{ ratio: 1, interval: { low: 0.4, high: 2.5 } }])
    expect(place(2) - place(1)).toBeCloseTo(place(1) - place(0.5))
    const places = ticks.map(place)
    for (const [index, at] of places.entries()) {
      expect(at - (places[index - 1] ?? -100)).toBeGreaterThan(15)
    }
  })
})

describe('the axis of numbers', () => {
  it('begins at zero for numbers of one size', () => {
    const { logarithmic, place, ticks } = numberAxis([3, 9])
    expect([logarithmic, place(0), place(10), ticks]).toEqual([false, 0, 1, [0, 2, 4, 6, 8, 10]])
  })

  it('is logarithmic if they differ much', () => {
    const { logarithmic, place, ticks } = numberAxis([5, 420])
    expect(logarithmic).toBe(true)
    expect(ticks).toEqual([5, 10, 20, 50, 100, 200, 500])
    expect(place(5)).toBeGreaterThan(0)
    expect(place(420)).toBeLessThan(1)
  })
})

describe('the colour of a ratio', () => {
  it('weighs twice and half alike, and is full at the end of the scale', () => {
    expect(ratioStrength(1)).toBe(0)
    expect(ratioStrength(1.25)).toBeCloseTo(ratioStrength(1 / 1.25))
    expect([ratioStrength(9), ratioStrength(0.01), ratioStrength(0)]).toEqual([1, 1, 1])
  })
})
