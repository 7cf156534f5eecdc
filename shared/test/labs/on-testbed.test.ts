import { describe, expect, test } from 'vitest'
import { labOn, opinionPlan, planOfStep } from '../../src/labs/on-testbed.ts'
import { bytes } from '../../src/base/units.ts'
import type { Action, Step } from '../../src/labs/lab.ts'
import { aLab } from '../builders.ts'

const repeats = { default: 6, min: 1, max: 20 }
const seconds = { default: 5, min: 1, max: 120 }
const lab = aLab()
const [first] = lab.steps
if (first === undefined) throw new Error('the lab has no step')
const measuring: Step = first
const benchmark = { tool: 'tcp-rr', requestBytes: bytes.parse(1), responseBytes: bytes.parse(1) }
const action = {
  kind: 'measure',
  arm: 'off',
  case: { id: 'rr', label: 'One byte', family: 'ipv4', benchmark },
  repeats,
  seconds,
} as const

function on(kind: 'netns' | 'counted', does: Action): Action | null | undefined {
  const step: Step = { ...measuring, action: does }
  return labOn({ ...lab, steps: [step] }, kind).steps[0]?.action
}

describe('a lab', () => {
  test('is as it is written where the clock shows time', () => {
    expect(labOn(lab, 'netns')).toBe(lab)
  })

  test('measures for a second where the clock counts instructions, and no more often than decides', () => {
    expect(on('counted', action)).toEqual({
      ...action,
      repeats: { ...repeats, default: 4 },
      seconds: { ...seconds, default: 1 },
    })
  })

  test('keeps its bounds, and what is less', () => {
    const few = { ...action, repeats: { ...repeats, default: 2 }, seconds: { ...seconds, default: 3, min: 2 } }
    expect(on('counted', few)).toEqual({ ...few, seconds: { ...seconds, default: 2, min: 2 } })
  })

  test('repeats an experiment as often as on other testbeds, because its number of comparisons needs that', () => {
    const design = { order: 'auto', repeats: 6, seconds: 5, warmups: 0, budget: null } as const
    const plan = { arms: [...lab.arms], cases: [action.case], design }
    const experiment = on('counted', { kind: 'experiment', plan, repeats, seconds })
    expect(experiment).toMatchObject({ repeats, seconds: { default: 1 }, plan: { design: { repeats: 6, seconds: 1 } } })
  })

  test('leaves out the cases that a counted machine takes minutes to set up', () => {
    const design = { order: 'auto', repeats: 4, seconds: 0.5, warmups: 0, budget: null } as const
    const cases = [1, 5_000].map((count) => ({
      ...action.case,
      id: `c${count}`,
      settings: { 'nodeport-services': count },
    }))
    const plan = { arms: [...lab.arms], cases, design }
    expect(on('counted', { kind: 'experiment', plan, repeats, seconds })).toMatchObject({
      plan: { cases: [{ id: 'c1' }] },
    })
    expect(on('netns', { kind: 'experiment', plan, repeats, seconds })).toMatchObject({ plan: { cases } })
  })
})

describe('the plan of a second opinion', () => {
  const design = { order: 'interleaved', repeats: 12, seconds: 5, warmups: 1, budget: null } as const
  const plan = { arms: [...lab.arms], cases: [action.case], design }
  const placed = (...cpus: (string | null)[]) =>
    lab.arms.map((arm, index) => ({ ...arm, settings: { ...arm.settings, 'cpu-placement': cpus[index] ?? null } }))

  test('has the arms and cases, in the order that was decided, and runs of a second', () => {
    expect(opinionPlan(plan)).toEqual({ ...plan, design: { ...design, repeats: 8, seconds: 1 } })
  })

  test('has at least the repeats that decide, and no budget', () => {
    const budget = { widthPercent: 5, seconds: 60 }
    const few = { ...plan, design: { ...design, repeats: 2, seconds: 0.5, budget } }
    expect(opinionPlan(few).design).toEqual({ ...design, repeats: 4, seconds: 0.5 })
  })

  test('does not choose the only CPU, unless the arms differ by it', () => {
    expect(opinionPlan({ ...plan, arms: placed('one-cpu', 'one-cpu') }).arms).toEqual(lab.arms)
    const apart = placed('one-cpu', 'two-cpus')
    expect(opinionPlan({ ...plan, arms: apart }).arms).toEqual(apart)
  })

  test('is performed instead of the lab’s own', () => {
    const own = { plan }
    const other = opinionPlan(plan)
    expect(planOfStep(own, { plan: other })).toBe(plan)
    expect(planOfStep(own, { plan: other, opinionOf: 'r_00000001' })).toBe(other)
    expect(planOfStep({ plan: null }, { plan: other })).toBe(other)
    expect(planOfStep({ plan: null }, {})).toBeNull()
  })
})
