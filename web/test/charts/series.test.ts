import { compareArms } from '@expresslane/shared/compare/compare'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ratioAxis } from '@expresslane/shared/compare/ratio-axis'
import { barPanels, barTicks, liveSeries, POINTS_PER_CHART, thin } from '../../src/charts/series.ts'
import { logged, measured, repeatStarted, runOf, sample, started, streamed } from '@expresslane/shared/test/builders'

describe('liveSeries', () => {
  const { repeats } = runOf(
    logged([started(), repeatStarted(1), sample(0.25, 100), sample(0.5, 120), repeatStarted(2), sample(0.25, 90, 2)]),
  )

  it('lays the repeats end to end on one axis that does not move', () => {
    const { rows, seconds, borders, lines } = liveSeries(repeats, 'tps', null)
    expect(rows).toEqual([
      { at: 0.25, r1: 100 },
      { at: 0.5, r1: 120 },
      { at: 10.25, r2: 90 },
    ])
    expect({ seconds, borders }).toEqual({ seconds: 30, borders: [10, 20] })
    expect(lines.map(({ key }) => key)).toEqual(['r1', 'r2'])
  })

  it('has room for what it is compared with, and an axis before the first sample', () => {
    expect(liveSeries(repeats, 'tps', 500).ticks.at(-1)).toBeGreaterThanOrEqual(500)
    expect(liveSeries([], 'tps', null)).toMatchObject({ rows: [], ticks: [0, 2000, 4000, 6000, 8000, 10_000] })
  })

  it('never draws more points than a chart can take', () => {
    const many = Array.from({ length: 4000 }, (_, n) => sample(n / 400, 100))
    const long = runOf(logged([started(), repeatStarted(1), ...many]))
    expect(liveSeries(long.repeats, 'tps', null).rows.length).toBeLessThanOrEqual(POINTS_PER_CHART)
  })
})

describe('thin', () => {
  it('keeps to its limit and within what was measured', () => {
    const samples = fc.array(fc.record({ atSeconds: fc.nat(), value: fc.nat({ max: 90_000 }) }), {
      minLength: 1,
    })
    fc.assert(
      fc.property(samples, fc.integer({ min: 1, max: 50 }), (all, limit) => {
        const kept = thin(all, limit)
        expect(kept.length).toBeLessThanOrEqual(limit)
        const values = all.map((one) => one.value)
        for (const one of kept) {
          expect(one.value).toBeGreaterThanOrEqual(Math.min(...values) - 1e-6)
          expect(one.value).toBeLessThanOrEqual(Math.max(...values) + 1e-6)
        }
      }),
    )
  })
})

describe('barPanels', () => {
  const off = [measured({ values: { tps: 10 } }), measured({ values: { tps: 12 } }), measured({ values: { tps: 11 } })]
  const comparison = compareArms(off, [measured({ arm: 'on', values: { tps: 20 } })])
  if (comparison === null) throw new Error('nothing compared')

  it('has the median as the bar and each run as a dot', () => {
    const [speed, latency] = barPanels(comparison)
    expect(speed?.rows).toEqual([
      { label: 'TPS', off: 11, on: 20, offDots: [10, 12, 11], onDots: [20], interval: null },
    ])
    expect(barTicks(speed?.rows ?? []).at(-1)).toBeGreaterThan(20)
    expect(latency?.rows.map(({ label }) => label)).toEqual(['p50', 'p90', 'p99'])
  })

  it('puts the interval of the ratio where it lies on the axis, and leaves room for it', () => {
    const rows = comparison.rows.map((row) => ({ ...row, interval: { low: 1.5, high: 3 } }))
    const [speed] = barPanels({ ...comparison, rows })
    expect(speed?.rows[0]?.interval).toEqual({ low: 16.5, high: 33 })
    expect(barTicks(speed?.rows ?? []).at(-1)).toBeGreaterThan(33)
  })

  it('has its panels where the tool was not recorded', () => {
    expect(barPanels({ ...comparison, tool: null })).toEqual(barPanels(comparison))
  })

  it('shows of a stream what it reached and what it took, in units that people read', () => {
    const streams = compareArms(
      [streamed()],
      [streamed({ arm: 'on', values: { throughput: 20e9, bytesPerPacket: 80_000, cpuSecondsPerGigabit: 0.05 } })],
    )
    expect(barPanels(streams ?? comparison).map(({ unit, rows }) => [unit, rows[0]?.on])).toEqual([
      ['Gbit/s', 20],
      ['ms', 50],
      ['kB', 80],
    ])
  })
})

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
