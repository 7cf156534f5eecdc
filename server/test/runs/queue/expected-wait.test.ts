/** How long a queued run will probably wait. */
import type { Step } from '@expresslane/shared/labs/lab'
import { describe, expect, it } from 'vitest'
import { labs } from '../../support/runs/labs.ts'
import { expectedSeconds, expectedWait, plannedSeconds } from '../../../src/runs/queue/expected-wait.ts'

function stepOf(labId: string, stepId: string): Step {
  const step = labs.find(({ id }) => id === labId)?.steps.find(({ id }) => id === stepId)
  if (step === undefined) throw new Error(`no step ${stepId} of ${labId}`)
  return step
}

describe('the expected length of a step', () => {
  const plannedOf = ({ seconds }: { seconds?: number | undefined }): number | null => seconds ?? null

  it('is its plan, plus the time that earlier runs needed beyond their plan', () => {
    expect(expectedSeconds(plannedOf, { seconds: 10 }, [])).toBe(10)
    const lasted = [1, 2, 4].map((beyond) => ({ seconds: 3 + beyond, params: { seconds: 3 } }))
    expect(expectedSeconds(plannedOf, { seconds: 10 }, lasted)).toBe(12)
  })

  it('is its earlier duration, if it has no plan', () => {
    expect(expectedSeconds(() => null, {}, [])).toBeNull()
    const lasted = [1, 2, 4].map((seconds) => ({ seconds, params: {} }))
    expect(expectedSeconds(() => null, {}, lasted)).toBe(2)
  })

  it('is never negative', () => {
    expect(expectedSeconds(plannedOf, { seconds: 1 }, [{ seconds: 1, params: { seconds: 60 } }])).toBe(0)
  })
})

describe('expected wait', () => {
  it('is zero without runs ahead', () => {
    expect(expectedWait([], 0)).toBe(0)
  })

  it('is the rest of the running run, plus all waiting runs', () => {
    const running = { steps: [60, 10], startedAt: 100_000 }
    const waiting = { steps: [30], startedAt: null }
    expect(expectedWait([running], 120_000)).toBe(50)
    expect(expectedWait([running, waiting], 120_000)).toBe(80)
  })

  it('expects a run that takes longer than planned to end now, and its next steps to follow', () => {
    expect(expectedWait([{ steps: [60, 10], startedAt: 0 }], 300_000)).toBe(10)
  })

  it('is unknown if one duration is', () => {
    expect(
      expectedWait(
        [
          { steps: [60], startedAt: 0 },
          { steps: [10, null], startedAt: null },
        ],
        0,
      ),
    ).toBeNull()
  })
})

describe('planned seconds', () => {
  it('are the measured seconds of a step, with the learner’s changes', () => {
    const baseline = stepOf('big-tcp-ipv4', 'baseline')
    expect(plannedSeconds(baseline, {})).toBe(30)
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
