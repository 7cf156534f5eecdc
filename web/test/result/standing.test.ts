import { transactionsPerSecond } from '@expresslane/shared/measure/units'
import { describe, expect, it } from 'vitest'
import { standingOf } from '../../src/result/measurement/standing.ts'
import { measured } from '../samples.ts'

const before = [9_000, 10_000, 11_000].map((tps) => measured({ tps }))
const live = [12_000, 13_000, 12_500].map((tps) => transactionsPerSecond.parse(tps))

describe('standingOf', () => {
  it('goes by the samples while the first run has not ended, and by the finished runs from then on', () => {
    expect(standingOf(before, [], live)).toMatchObject({ changePercent: 25, interval: null, runs: 0 })
    expect(standingOf(before, [measured({ arm: 'on', tps: 11_000 })], live)).toMatchObject({
      changePercent: expect.closeTo(10),
      runs: 1,
    })
  })

  it('is nothing before the first sample, and without a measurement before', () => {
    expect(standingOf(before, [], [])).toBeNull()
    expect(standingOf([], [], live)).toBeNull()
  })
})
