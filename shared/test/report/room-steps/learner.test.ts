/** A learner's own time, and where they are. */
import { describe, expect, it } from 'vitest'
import { hasLeft, visitsOf, type Attempt, type Learner } from '../../../src/report/room/steps/learner.ts'

const SECOND = 1000
const steps = ['one', 'two', 'three']
const moment = { now: 1000 * SECOND, leftAfterMs: 300 * SECOND }

function attempt(stepId: string, from: number, to: number | null, over: Partial<Attempt> = {}): Attempt {
  return {
    runId: `r_${stepId}_${from}`,
    stepId,
    requestedAt: from * SECOND,
    endedAt: to === null ? null : to * SECOND,
    end: to === null ? 'open' : 'passed',
    solved: false,
    onTheWay: false,
    hint: false,
    ...over,
  }
}

function learner(attempts: readonly Attempt[], stepId: string | null, over: Partial<Learner> = {}): Learner {
  const person = { id: 'p1', name: 'Ada', sessionId: 's_00000001', startedAt: 0, hands: [], online: true }
  return { ...person, attempts, stepId, ...over }
}

const failed = { end: 'failed', hint: true } as const

/** The step, the seconds, and the end of each visit. */
const seen = (one: Learner, at = moment) =>
  visitsOf(steps, one, at).map(({ stepId, wait, end }) => [stepId, wait.time / SECOND, end])

describe('a learner’s own time at a step', () => {
  it('begins with the pass of the step before, and leaves out the queue and the run', () => {
    const walk = [attempt('one', 10, 60), attempt('two', 90, 200), attempt('three', 260, 300)]
    expect(seen(learner(walk, null))).toEqual([
      ['one', 10, 'passed'],
      ['two', 30, 'passed'],
      ['three', 60, 'passed'],
    ])
  })

  it('leaves out each failed run, a reset and a run of another step, and counts the time between them', () => {
    const walk = [
      attempt('one', 10, 20),
      attempt('two', 30, 40, failed),
      attempt('one', 45, 50),
      attempt('reset', 55, 60),
      attempt('two', 70, 80),
    ]
    const [, two] = visitsOf(steps, learner(walk, 'three'), moment)
    expect(two).toMatchObject({ failures: 1, hints: 1, wait: { time: 30 * SECOND, ended: true } })
  })

  it('goes on until now for somebody who is at it, and stops while their run waits', () => {
    expect(seen(learner([attempt('one', 10, 20)], 'two')).at(-1)).toEqual(['two', 980, 'open'])
    expect(seen(learner([attempt('one', 10, 20), attempt('two', 50, null)], 'two')).at(-1)).toEqual(['two', 30, 'open'])
  })

  it('ends with the last sign of somebody who left', () => {
    const walk = [attempt('one', 10, 20), attempt('two', 60, 70, failed)]
    expect(seen(learner(walk, 'two', { online: false })).at(-1)).toEqual(['two', 40, 'open'])
  })

  it('counts the first pass alone, also after a reset', () => {
    const walk = [
      attempt('one', 10, 20),
      attempt('reset', 30, 40),
      attempt('one', 500, 510),
      attempt('one', 600, 610, failed),
    ]
    const [one] = visitsOf(steps, learner(walk, 'one'), moment)
    expect(one).toMatchObject({ failures: 0, wait: { time: 10 * SECOND, ended: true } })
  })

  it('ends without a pass where Solve did the step, and is not counted for steps on the way', () => {
    const walk = [
      attempt('one', 10, 20, { solved: true }),
      attempt('two', 20, 30, { solved: true, onTheWay: true }),
      attempt('three', 90, 95),
    ]
    expect(seen(learner(walk, null))).toEqual([
      ['one', 10, 'solved'],
      ['three', 60, 'passed'],
    ])
  })
})

describe('somebody has left', () => {
  const tried = [attempt('one', 10, 20)]
  it('without an open page and without a run for so long, before the end of the lab', () => {
    const gone = learner(tried, 'two', { online: false })
    expect(hasLeft(gone, moment)).toBe(true)
    expect(hasLeft(gone, { ...moment, now: 319 * SECOND })).toBe(false)
    expect(hasLeft({ ...gone, online: true }, moment)).toBe(false)
    expect(hasLeft({ ...gone, stepId: null }, moment)).toBe(false)
    expect(hasLeft({ ...gone, attempts: [...tried, attempt('two', 30, null)] }, moment)).toBe(false)
    expect(hasLeft({ ...gone, hands: [{ stepId: 'two', raisedAt: 800 * SECOND }] }, moment)).toBe(false)
  })
})
