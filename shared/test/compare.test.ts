import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareArms } from '../src/compare.ts'
import { measured } from './samples.ts'

const on = { arm: 'on', packets: { perRequest: 1, perResponse: 1, acks: 2 } }

describe('compareArms', () => {
  it('compares medians', () => {
    const result = compareArms(
      [10, 12, 11].map((tps) => measured(tps)),
      [20, 24, 22].map((tps) => measured(tps, on)),
    )
    expect(result?.rows[0]).toEqual({ metric: 'tps', off: 11, on: 22, changePercent: 100 })
    expect(result?.overlap).toBe(false)
    expect(result?.rows.find((row) => row.metric === 'packetsPerRequest')).toMatchObject({ off: 2, on: 1 })
  })

  it('says so when it is worse', () => {
    const result = compareArms(
      [20, 21, 22].map((tps) => measured(tps)),
      [5, 6, 7].map((tps) => measured(tps, on)),
    )
    expect(result?.sentence).toContain('slower')
    expect(result?.rows[0]?.changePercent).toBeLessThan(0)
  })

  it('claims nothing when the repeats overlap', () => {
    const result = compareArms(
      [10, 20].map((tps) => measured(tps)),
      [15, 25].map((tps) => measured(tps, on)),
    )
    expect(result?.overlap).toBe(true)
    expect(result?.sentence).toContain('no clear difference')
  })

  it('needs both arms', () => {
    expect(compareArms([], [measured(1, on)])).toBeNull()
    expect(compareArms([measured(1)], [])).toBeNull()
  })

  it('leaves out what an arm did not measure', () => {
    const result = compareArms([measured(1, { packets: null })], [measured(2, on)])
    expect(result?.rows.map((row) => row.metric)).not.toContain('packetsPerRequest')
  })

  it('overlaps in the same way whichever arm comes first', () => {
    const arm = fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(arm, arm, (first, second) => {
        const a = first.map((tps) => measured(tps))
        const b = second.map((tps) => measured(tps, on))
        expect(compareArms(a, b)?.overlap).toBe(compareArms(b, a)?.overlap)
      }),
    )
  })
})
