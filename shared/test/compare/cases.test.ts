/** The width that a budget waits for. */
import { describe, expect, it } from 'vitest'
import { compareCases, widestInterval } from '../../src/compare/cases.ts'
import { experimentPlan } from '../../src/measure/experiment.ts'
import { measured } from '../builders.ts'

const plan = experimentPlan.parse({
  arms: [
    { id: 'off', label: 'off', settings: { 'big-tcp-ipv4': false } },
    { id: 'on', label: 'on', settings: { 'big-tcp-ipv4': true } },
  ],
  cases: [
    {
      id: 'rr',
      label: '80 kB',
      family: 'ipv4',
      benchmark: { tool: 'tcp-rr', requestBytes: 80_000, responseBytes: 80_000 },
    },
  ],
  design: { order: 'interleaved', repeats: 4, seconds: 1, warmups: 0, budget: null },
})

/** Four runs per arm, in ABBA blocks. */
function widthOf(off: readonly number[], on: readonly number[]): number | null {
  const places = { off: [1, 4, 5, 8], on: [2, 3, 6, 7] }
  const of = (arm: 'off' | 'on', tps: readonly number[]) =>
    tps.map((value, index) => measured({ values: { tps: value }, arm, caseId: 'rr', repeat: places[arm][index] }))
  return widestInterval(compareCases(plan, 'interleaved', [...of('off', off), ...of('on', on)], 'main'))
}

describe('the widest interval', () => {
  it('is its width in percent of the ratio', () => {
    expect(widthOf([100, 100, 100, 100], [80, 80, 120, 120])).toBeCloseTo(40, 9)
  })

  it('is unknown below the runs that an interval takes', () => {
    expect(widthOf([100, 101, 102], [100, 101, 102])).toBeNull()
  })

  it('is unknown if no request was answered', () => {
    expect(widthOf([100, 101, 102, 103], [0, 0, 0, 0])).toBeNull()
    expect(widthOf([0, 0, 0, 0], [100, 101, 102, 103])).toBeNull()
  })
})
