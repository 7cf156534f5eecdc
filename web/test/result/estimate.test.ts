import { describe, expect, it } from 'vitest'
import { estimateOf } from '../../src/result/measurement/estimate.ts'
import { measured } from '@expresslane/shared/test/builders'

const before = [9_000, 10_000, 11_000].map((tps) => measured({ values: { tps } }))
const live = [12_000, 13_000, 12_500]

describe('estimateOf', () => {
  it('uses the samples during the first run, and the finished runs afterwards', () => {
    expect(estimateOf(before, [], live, 'tps')).toMatchObject({ changePercent: 25, interval: null, runs: 0 })
    expect(estimateOf(before, [measured({ arm: 'on', values: { tps: 11_000 } })], live, 'tps')).toMatchObject({
      changePercent: expect.closeTo(10),
      runs: 1,
    })
  })

  it('is null before the first sample, and without an earlier measurement', () => {
    expect(estimateOf(before, [], [], 'tps')).toBeNull()
    expect(estimateOf([], [], live, 'tps')).toBeNull()
  })
})
