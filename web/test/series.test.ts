import { compareArms } from '@expresslane/shared/compare'
import { transactionsPerSecond } from '@expresslane/shared/units'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { barRows, barTicks, niceTicks, POINTS_A_CHART, thin, tpsSeries } from '../src/charts/series.ts'
import { logged, measured, repeatStarted, runOf, sample, started } from './samples.ts'

const tps = (value: number) => transactionsPerSecond.parse(value)

describe('tpsSeries', () => {
  const { repeats } = runOf(
    logged([started(), repeatStarted(1), sample(0.25, 100), sample(0.5, 120), repeatStarted(2), sample(0.25, 90, 2)]),
  )

  it('lays the repeats end to end on one axis that does not move', () => {
    const { rows, seconds, borders, lines } = tpsSeries(repeats, null)
    expect(rows).toEqual([
      { at: 0.25, r1: 100 },
      { at: 0.5, r1: 120 },
      { at: 10.25, r2: 90 },
    ])
    expect({ seconds, borders }).toEqual({ seconds: 30, borders: [10, 20] })
    expect(lines.map(({ key }) => key)).toEqual(['r1', 'r2'])
  })

  it('has room for what it is compared with, and an axis before the first sample', () => {
    expect(tpsSeries(repeats, 500).ticks.at(-1)).toBeGreaterThanOrEqual(500)
    expect(tpsSeries([], null)).toMatchObject({ rows: [], ticks: [0, 2000, 4000, 6000, 8000, 10_000] })
  })

  it('never draws more points than a chart can take', () => {
    const many = Array.from({ length: 4000 }, (_, n) => sample(n / 400, 100))
    const long = runOf(logged([started(), repeatStarted(1), ...many]))
    expect(tpsSeries(long.repeats, null).rows.length).toBeLessThanOrEqual(POINTS_A_CHART)
  })
})

describe('thin', () => {
  it('keeps to its limit and within what was measured', () => {
    const samples = fc.array(fc.record({ atSeconds: fc.nat(), tps: fc.nat({ max: 90_000 }).map(tps) }), {
      minLength: 1,
    })
    fc.assert(
      fc.property(samples, fc.integer({ min: 1, max: 50 }), (all, limit) => {
        const kept = thin(all, limit)
        expect(kept.length).toBeLessThanOrEqual(limit)
        const values = all.map((one) => one.tps)
        for (const one of kept) {
          expect(one.tps).toBeGreaterThanOrEqual(Math.min(...values) - 1e-6)
          expect(one.tps).toBeLessThanOrEqual(Math.max(...values) + 1e-6)
        }
      }),
    )
  })
})

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

  it('makes an axis of nothing', () => {
    expect([niceTicks(0), niceTicks(Number.NaN)]).toEqual([
      [0, 1],
      [0, 1],
    ])
  })
})

describe('barRows', () => {
  const off = [measured({ tps: 10 }), measured({ tps: 12 }), measured({ tps: 11 })]
  const comparison = compareArms(off, [measured({ arm: 'on', tps: 20 })])

  it('has the median as the bar and each repeat as a dot', () => {
    if (comparison === null) throw new Error('nothing compared')
    expect(barRows(comparison, ['tps'])).toEqual([
      { label: 'TPS', off: 11, on: 20, offDots: [10, 12, 11], onDots: [20] },
    ])
    expect(barTicks(barRows(comparison, ['tps'])).at(-1)).toBeGreaterThan(20)
  })
})
