import { describe, expect, it } from 'vitest'
import { aLab } from '@expresslane/shared/test/builders'
import { epochMs } from '@expresslane/shared/base/units'
import { clock, planOf, timingOf } from '../../src/present/timing.ts'

const [first] = aLab().steps
if (first === undefined) throw new Error('no step')
const lab = {
  steps: [
    { ...first, id: 'why', title: 'Why', minutes: 2 },
    { ...first, id: 'look', title: 'Look', minutes: null },
    { ...first, id: 'measure', title: 'Measure', minutes: 3 },
  ],
}

const at = (stepId: string, seconds: number) =>
  timingOf(lab, { stepId, startedAt: epochMs.parse(1_000), stepSince: epochMs.parse(11_000) }, 1_000 + seconds * 1000)

describe('the time of a talk', () => {
  it('plans each step after the one before', () => {
    expect(planOf(lab).map(({ id, fromSeconds, untilSeconds }) => [id, fromSeconds, untilSeconds])).toEqual([
      ['why', 0, 120],
      ['look', 120, 120],
      ['measure', 120, 300],
    ])
  })

  it('is on time within the minutes of its step', () => {
    expect([at('why', 0), at('why', 120), at('measure', 150)].map(({ lateSeconds }) => lateSeconds)).toEqual([0, 0, 0])
  })

  it('is late after them, and early before them', () => {
    expect(at('why', 150).lateSeconds).toBe(30)
    expect(at('measure', 90).lateSeconds).toBe(-30)
  })

  it('counts the talk and the step, and nothing before they began', () => {
    expect(at('why', 65)).toMatchObject({ elapsedSeconds: 65, stepSeconds: 55, plannedSeconds: 300 })
    expect(at('why', 5).stepSeconds).toBe(0)
    expect(at('gone', 5).lateSeconds).toBe(5)
  })

  it('reads as a clock', () => {
    expect([5, 65.9, 3729, -30].map(clock)).toEqual(['0:05', '1:05', '1:02:09', '0:30'])
  })
})
