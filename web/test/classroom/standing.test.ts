import { aLab } from '@expresslane/shared/test/builders'
import { describe, expect, it } from 'vitest'
import { busiestLab, countKinds, standingIn, standings } from '../../src/classroom/standing.ts'
import { aParticipant, aResult, aRoom, aRun, aSeat, aWait } from '../classroom-data.ts'

const lab = aLab()
const failed = { stepId: 'preflight', runId: aRun, problem: null, message: 'The path is not ready.' }
const withSeat = (id: string, name: string, seat: Record<string, unknown>) =>
  aParticipant({ id, name, seats: [aSeat(seat)] })

describe('where a person is in a lab', () => {
  it('shows the step that runs or waits before the first that has not passed', () => {
    const person = withSeat('p1', 'Ada', { stepId: 'why', run: aWait(2) })
    expect(standingIn(lab, person)).toMatchObject({
      kind: 'waiting',
      step: { number: 2, of: 2, title: 'Check the testbed' },
    })
    const running = withSeat('p1', 'Ada', { failed, run: aWait(1, { state: 'running', place: null }) })
    expect(standingIn(lab, running).kind).toBe('running')
  })

  it('is a failed check until it is repeated, and over after the last step', () => {
    expect(standingIn(lab, withSeat('p1', 'Ada', { failed })).kind).toBe('failed')
    expect(standingIn(lab, withSeat('p1', 'Ada', { stepId: null }))).toMatchObject({ kind: 'finished', step: null })
    expect(standingIn(lab, withSeat('p1', 'Ada', {})).kind).toBe('idle')
  })

  it('is on the own testbed, wherever else the lab was begun', () => {
    const [played, own] = [aSeat({ testbed: 'recording:one', stepId: null }), aSeat({ testbed: 'netns@p1' })]
    expect(standingIn(lab, aParticipant({ seats: [played, own] })).kind).toBe('idle')
    expect(standingIn(lab, aParticipant({ seats: [played] })).kind).toBe('finished')
  })

  it('counts only this lab', () => {
    expect(standingIn(lab, withSeat('p1', 'Ada', { labId: 'another' }))).toMatchObject({ kind: 'absent', seat: null })
  })
})

describe('the lines of the board', () => {
  const room = aRoom({
    participants: [
      withSeat('p1', 'Zoe', { failed }),
      withSeat('p2', 'Bob', { run: aWait(2) }),
      withSeat('p3', 'Ada', { run: aWait(1) }),
      withSeat('p4', 'Guest 10', { stepId: null, result: aResult(1.4) }),
      withSeat('p5', 'Guest 9', { stepId: null, result: aResult(1.2) }),
      aParticipant({ id: 'p6', name: 'Eve' }),
    ],
  })
  const names = (order: 'name' | 'help' | 'result') => standings(lab, room, order).map(({ person }) => person.name)

  it('sort by name, by who needs help, or by result', () => {
    expect(names('name')).toEqual(['Ada', 'Bob', 'Eve', 'Guest 9', 'Guest 10', 'Zoe'])
    expect(names('help')).toEqual(['Zoe', 'Ada', 'Bob', 'Eve', 'Guest 9', 'Guest 10'])
    expect(names('result')).toEqual(['Guest 10', 'Guest 9', 'Ada', 'Bob', 'Eve', 'Zoe'])
  })

  it('add up to everybody', () => {
    expect(countKinds(standings(lab, room, 'name'))).toEqual({
      failed: 1,
      waiting: 2,
      running: 0,
      idle: 0,
      absent: 1,
      finished: 2,
    })
  })

  it('begin with the lab that most people are in', () => {
    const other = aLab({ id: 'another' })
    expect(busiestLab([other, lab], room)).toBe(lab.id)
    expect(busiestLab([other, lab], aRoom())).toBe('another')
    expect(busiestLab([], room)).toBeNull()
  })
})
