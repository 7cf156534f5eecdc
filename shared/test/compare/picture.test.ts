import { describe, expect, it } from 'vitest'
import { compareArms } from '../../src/compare/compare.ts'
import { caseComparison, picture, type CaseComparison } from '../../src/compare/comparison.ts'
import { pictureOf } from '../../src/compare/picture.ts'
import { experimentPlan } from '../../src/measure/experiment.ts'
import { measured } from '../builders.ts'

const runs = (arm: string, values: readonly number[]) => values.map((tps) => measured({ arm, values: { tps } }))

function comparison(
  arm: string,
  against: string,
  values: readonly number[],
  caseId: string | null = null,
): CaseComparison {
  const names = against === 'off' ? undefined : { off: against.toUpperCase(), on: arm.toUpperCase() }
  const off = runs(against, [100, 101, 102, 103, 104])
  const made = compareArms(off, runs(arm, values), names === undefined ? {} : { names })
  return caseComparison.parse({ caseId, arm, against, comparison: made })
}

const faster = [120, 121, 122, 123, 124]

describe('pictureOf', () => {
  it('has every value of both sides on one axis, and the verdict in words', () => {
    const of = pictureOf([comparison('on', 'off', faster)], null)
    expect(picture.parse(of)).toEqual(of)
    expect(of?.words).toBe('19.6 % faster')
    expect(of?.arms.map(({ arm, place, at }) => [arm, place, at[0], at.at(-1)])).toEqual([
      ['off', 0, 0, 0.167],
      ['on', 1, 0.833, 1],
    ])
  })

  it('shows all arms of the last case with their places in the plan, and says which two the verdict is about', () => {
    const benchmark = { tool: 'tcp-rr', requestBytes: 1, responseBytes: 1 }
    const cases = ['small', 'large'].map((id) => ({ id, label: `${id} requests`, family: 'ipv4', benchmark }))
    const arms = ['xdp', 'tc', 'nft'].map((id) => ({ id, label: id.toUpperCase(), settings: {} }))
    const design = { order: 'interleaved', repeats: 5, seconds: 1, warmups: 0, budget: null }
    const plan = experimentPlan.parse({ arms, cases, design })
    const all = [
      comparison('tc', 'nft', [500, 500, 500, 500, 500], 'small'),
      comparison('xdp', 'nft', faster, 'large'),
      comparison('tc', 'nft', [100, 101, 102, 103, 104], 'large'),
    ]
    const of = pictureOf(all, plan)
    expect(of?.title).toMatch(/, large requests$/)
    expect(of?.words).toBe('XDP: 19.6 % faster than NFT')
    expect(of?.arms.map(({ label, place }) => [label, place])).toEqual([
      ['NFT', 2],
      ['XDP', 0],
      ['TC', 1],
    ])
    expect(pictureOf([...all.slice(0, 1), ...all.slice(2)], plan)?.words).toBe('TC and NFT: no difference seen')
  })

  it('is nothing without a comparison', () => {
    expect(pictureOf([], null)).toBeNull()
  })
})
