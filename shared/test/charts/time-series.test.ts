import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { POINTS_PER_CHART, thin, timeSeries } from '../../src/charts/time-series.ts'
import { logged, repeatStarted, runOf, sample, started } from '../builders.ts'

describe('timeSeries', () => {
  const { repeats } = runOf(
    logged([started(), repeatStarted(1), sample(0.25, 100), sample(0.5, 120), repeatStarted(2), sample(0.25, 90, 2)]),
  )

  it('lays the repeats end to end on one axis that does not move', () => {
    const { lines, seconds, borders } = timeSeries(repeats, 'tps', { planned: true })
    expect(lines.map(({ points }) => points.map(({ at, value }) => [at, value]))).toEqual([
      [
        [0.25, 100],
        [0.5, 120],
      ],
      [[10.25, 90]],
    ])
    expect({ seconds, borders }).toEqual({ seconds: 30, borders: [10, 20] })
  })

  it('ends with what was measured where no more is to come', () => {
    expect(timeSeries(repeats, 'tps')).toMatchObject({ seconds: 20, borders: [10] })
  })

  it('has room for what it is compared with, and an axis before the first sample', () => {
    expect(timeSeries(repeats, 'tps', { highest: 500 }).ticks.at(-1)).toBeGreaterThanOrEqual(500)
    expect(timeSeries([], 'tps')).toMatchObject({ lines: [], ticks: [0, 2000, 4000, 6000, 8000, 10_000] })
  })

  it('never has more points than a chart can take', () => {
    const many = Array.from({ length: 4000 }, (_, n) => sample(n / 400, 100))
    const long = runOf(logged([started(), repeatStarted(1), ...many]))
    const points = timeSeries(long.repeats, 'tps').lines.flatMap((line) => line.points)
    expect(points.length).toBeLessThanOrEqual(POINTS_PER_CHART)
  })

  it('puts a sample at the middle of its time, and after what the tool leaves out', () => {
    const [first] = repeats
    if (first === undefined) throw new Error('no repeat')
    const interval = (end: number, omitted = false) => ({
      atSeconds: end,
      seconds: 1,
      omitted,
      values: { throughput: end * 1e9 },
    })
    const stream = { ...first, seconds: 2, samples: [interval(1, true), interval(2), interval(3)] }
    const { lines, seconds } = timeSeries([stream], 'throughput')
    expect(lines[0]).toMatchObject({ omittedUntil: 1, points: [{ at: 0.5, value: 1 }, { at: 1.5 }, { at: 2.5 }] })
    expect(seconds).toBe(3)
  })
})

describe('thin', () => {
  it('keeps to its limit and within what was measured', () => {
    const samples = fc.array(
      fc.record({ at: fc.nat(), value: fc.nat({ max: 90_000 }), omitted: fc.boolean(), sample: fc.nat() }),
      {
        minLength: 1,
      },
    )
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
