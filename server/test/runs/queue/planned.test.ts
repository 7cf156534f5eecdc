/** How many seconds runs plan, and how many a participant's is allowed. */
import type { Step } from '@expresslane/shared/labs/lab'
import { labOn } from '@expresslane/shared/labs/on-testbed'
import { fitOf, fits, opinionFit, plannedSeconds, repeatsThatFit } from '@expresslane/shared/labs/planned'
import { testbedKind } from '@expresslane/shared/testbed/testbed'
import { describe, expect, it } from 'vitest'
import { labs } from '../../support/runs/labs.ts'

function stepOf(labId: string, stepId: string): Step {
  const step = labs.find(({ id }) => id === labId)?.steps.find(({ id }) => id === stepId)
  if (step === undefined) throw new Error(`no step ${stepId} of ${labId}`)
  return step
}

describe('planned seconds', () => {
  it('are the measured seconds of a step, with the learner’s changes', () => {
    const baseline = stepOf('big-tcp-ipv4', 'baseline')
    expect(plannedSeconds(baseline, {})).toBe(12)
    expect(plannedSeconds(baseline, { repeats: 2, seconds: 3 })).toBe(6)
  })

  it('are unknown for a step without measurements', () => {
    expect(plannedSeconds(stepOf('big-tcp-ipv4', 'deploy'), {})).toBeNull()
    expect(plannedSeconds(stepOf('bench', 'run'), {})).toBeNull()
  })

  it('include every arm, case, repeat and warm-up of an experiment, or are its budget', () => {
    const step = labs.flatMap(({ steps }) => steps).find(({ action }) => action?.kind === 'experiment' && action.plan)
    if (step?.action?.kind !== 'experiment' || step.action.plan === null) throw new Error('no lab has a plan')
    const { arms, cases } = step.action.plan
    const asked = { repeats: 2, seconds: 3, warmups: 1, budget: null }
    expect(plannedSeconds(step, asked)).toBe(arms.length * cases.length * 3 * 3)
    expect(plannedSeconds(step, { budget: { widthPercent: 5, seconds: 90 } })).toBe(90)
  })
})

describe('a participant’s run', () => {
  const most = 120
  const baseline = stepOf('big-tcp-ipv4', 'baseline')
  const compared = [baseline, stepOf('big-tcp-ipv4', 'measure-on')]

  it('counts all the steps of its solve', () => {
    expect(fitOf([baseline], { repeats: 6, seconds: 20 }, most)).toEqual({ planned: 120, allowed: 120 })
    expect(fitOf(compared, { repeats: 6, seconds: 20 }, most)).toEqual({ planned: 240, allowed: 120 })
    expect(fits({ planned: 120, allowed: 120 })).toBe(true)
    expect(fits({ planned: 120.5, allowed: 120 })).toBe(false)
  })

  it('is allowed what the lab itself plans, and no more', () => {
    const sweep = [stepOf('how-big', 'sweep')]
    expect(fitOf(sweep, {}, most)).toEqual({ planned: 245, allowed: 245 })
    expect(fitOf(sweep, { repeats: 7 }, most)).toEqual({ planned: 280, allowed: 245 })
  })

  it('can be each lab that comes with Expresslane, step by step or solved, whatever the limit', () => {
    for (const kind of testbedKind.options) {
      for (const { steps } of labs.map((lab) => labOn(lab, kind))) {
        expect(fits(fitOf(steps, {}, 1))).toBe(true)
        expect(steps.every((step) => fits(fitOf([step], {}, 1)) && fits(opinionFit(step, {}, 1)))).toBe(true)
      }
    }
  })

  it('is allowed nothing beyond the limit on the Bench page', () => {
    const { action } = stepOf('how-big', 'sweep')
    if (action?.kind !== 'experiment' || action.plan === null) throw new Error('the sweep has no plan')
    const { plan } = action
    expect(fitOf([stepOf('bench', 'run')], { plan }, most)).toEqual({ planned: 245, allowed: 120 })
    // 5 arms × 7 cases × (2 + 1) × 1 s
    expect(repeatsThatFit(plan, most)).toBe(2)
    expect(repeatsThatFit({ ...plan, design: { ...plan.design, seconds: 120 } }, most)).toBe(0)
  })

  it('counts the seconds of its second opinion, which repeats at least four times', () => {
    const { action } = stepOf('how-big', 'sweep')
    if (action?.kind !== 'experiment' || action.plan === null) throw new Error('the sweep has no plan')
    const design = { ...action.plan.design, repeats: 1, warmups: 0 }
    const run = stepOf('bench', 'run')
    expect(fitOf([run], { plan: { ...action.plan, design } }, most).planned).toBe(35)
    expect(opinionFit(run, { plan: { ...action.plan, design } }, most)).toEqual({ planned: 140, allowed: 120 })
  })
})
