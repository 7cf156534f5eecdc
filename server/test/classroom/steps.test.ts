/** Where the room got stuck: simulated learners in a real store, through the real routes. */
import { actingSteps } from '@expresslane/shared/report/room/steps/figures'
import { roomView, type LabFigures } from '@expresslane/shared/wire/board'
import { BEGIN, learnersOf, moment, usual } from '@expresslane/shared/test/report/room-steps/room'
import { epochMs } from '@expresslane/shared/base/units'
import { runAccepted } from '@expresslane/shared/wire/protocol'
import { describe, expect, it } from 'vitest'
import { testClock } from '../support/clock.ts'
import { classroom, type Classroom } from '../support/http/people.ts'
import { keepLearners } from '../support/store/learners.ts'

const LAB = 'big-tcp-ipv4'
const HARD = 'baseline'
const paths = ['/api/room/steps', '/api/room/steps.csv', '/api/room/xapi.json']

/** Thirty learners 90 minutes after they began; for one step they need three times as long. */
async function room(seed = 1): Promise<Classroom> {
  const clock = testClock()
  const opened = await classroom({ clock })
  const { store, findLab } = opened.server.deps
  const lab = findLab(LAB)
  if (lab === undefined) throw new Error(`no lab ${LAB}`)
  const hard = { [HARD]: { ...usual, time: 3 } }
  keepLearners(store, LAB, learnersOf(seed, actingSteps(lab), hard), BEGIN + 86_400_000)
  clock.advance(moment.now - clock.now())
  return opened
}

async function figuresOf({ instructor }: Classroom): Promise<LabFigures> {
  const { labs } = await instructor.read(roomView, '/api/room')
  const [figures] = labs
  if (figures === undefined) throw new Error('the board has no figures')
  return figures
}

const totals = ({ steps }: LabFigures, of: 'here' | 'left'): number => steps.reduce((sum, step) => sum + step[of], 0)

describe('the board', () => {
  it('finds the planted step, and counts each learner at one step or as finished', async () => {
    const figures = await figuresOf(await room())
    expect(figures.slowest).toBe(HARD)
    expect(figures.steps.filter(({ standsOut }) => standsOut.includes('time')).map(({ stepId }) => stepId)).toEqual([
      HARD,
    ])
    expect(totals(figures, 'here') + totals(figures, 'left') + figures.finished).toBe(30)
    expect(figures.learners).toBe(30)
  })

  it('takes the request of a run from its first event: its row has the time at which it began', async () => {
    const { server } = await room()
    const { store } = server.deps
    const [session] = store.sessions.of('p0')
    if (session === undefined) throw new Error('no session')
    const asked = store.runs.asked(session.id)
    const waited = store.runs.ofSession(session.id).filter(({ endedAt }) => endedAt !== null)
    expect(waited).not.toEqual([])
    for (const { id, startedAt } of waited) expect(asked.get(id)?.requestedAt).toBeLessThan(startedAt)
  })

  it('counts a person who left without an open page, and a failed run with its hint', async () => {
    const opened = await room()
    const figures = await figuresOf(opened)
    // Nobody has an open page, so everybody who has not finished has left.
    expect(totals(figures, 'left')).toBe(30 - figures.finished)
    const failures = figures.steps.reduce((sum, step) => sum + step.failures, 0)
    expect(failures).toBeGreaterThan(0)
    expect(figures.steps.reduce((sum, step) => sum + step.hints, 0)).toBe(failures)
  })
})

describe('a step that Solve did', () => {
  /** Alice joins and begins the lab; `who` then solves it up to a step. */
  async function solvedBy(who: 'hers' | 'instructor', stepId: string): Promise<LabFigures> {
    const opened = await classroom()
    const { store, clock, scheduler } = opened.server.deps
    const expiresAt = epochMs.parse(clock.now() + 3_600_000)
    const alice = { id: 'alice', role: 'participant', name: 'Alice', invitation: null } as const
    store.principals.add({ ...alice, joinedAt: clock.now(), expiresAt })
    const { id } = await opened.hers.begins()
    const body = { params: { repeats: 1, seconds: 1 }, solve: true }
    const { runId } = await opened[who].read(runAccepted, `/api/sessions/${id}/steps/${stepId}/run`, 202, body)
    await scheduler.settled(runId)
    return figuresOf(opened)
  }

  it.each(['hers', 'instructor'] as const)('counts where the learner was, not on the way (%s)', async (who) => {
    const { steps } = await solvedBy(who, 'compare')
    const seen = steps.filter(({ reached }) => reached > 0)
    expect(seen).toMatchObject([
      { stepId: 'preflight', solves: 1, passed: 0, here: 0 },
      { stepId: 'restore', solves: 0, passed: 0, here: 1 },
    ])
  })

  it('is no pass of the learner’s own, also alone', async () => {
    const { steps } = await solvedBy('instructor', 'preflight')
    expect(steps[0]).toMatchObject({ stepId: 'preflight', reached: 1, solves: 1, passed: 0 })
    expect(steps[0]?.seconds.median).toBeNull()
  })
})

describe('the files by step', () => {
  it('name nobody, until the instructor chooses so', async () => {
    const { instructor } = await room()
    for (const path of paths) {
      expect(await instructor.text(`${path}?lab=${LAB}`)).not.toContain('Learner ')
      expect(await instructor.text(`${path}?lab=${LAB}&names=true`)).toContain('Learner ')
      expect(await instructor.tries(`${path}?lab=${LAB}&names=maybe`)).toEqual([400, 'bad_request'])
    }
  })

  it('say where the room got stuck', async () => {
    const { instructor } = await room()
    const html = await instructor.call(`/api/room/steps?lab=${LAB}`)
    expect(html.headers['content-security-policy']).toContain("default-src 'none'")
    expect(html.headers['content-disposition']).toBe(`attachment; filename="expresslane-steps-${LAB}.html"`)
    expect(html.text).toMatch(/The room is stuck at step \d+, “Baseline”: it takes \d\.\d times as long as expected/)
    const [head, ...lines] = (await instructor.text(`/api/room/steps.csv?lab=${LAB}`)).trimEnd().split('\r\n')
    const column = head?.split(',').indexOf('stands_out') ?? -1
    expect(lines.filter((line) => line.split(',')[column] === 'time').map((line) => line.split(',')[1])).toEqual([HARD])
  })

  it('are the same statements in a second export', async () => {
    const { instructor } = await room()
    const path = `/api/room/xapi.json?lab=${LAB}`
    const first = await instructor.text(path)
    expect(JSON.parse(first)).not.toEqual([])
    expect(await instructor.text(path)).toBe(first)
  })

  it('are of a lab that exists, and for the instructor', async () => {
    const { instructor, hers, viewer } = await classroom()
    for (const path of paths) {
      expect(await instructor.tries(`${path}?lab=none`)).toEqual([404, 'not_found'])
      expect(await instructor.tries(`${path}?lab=../x`)).toEqual([400, 'bad_request'])
      for (const who of [hers, viewer]) expect(await who.tries(`${path}?lab=${LAB}`)).toEqual([403, 'not_allowed'])
    }
  })
})
