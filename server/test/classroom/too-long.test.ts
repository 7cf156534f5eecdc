/** The seconds that a participant's run can plan, and the instructor's means against a long run. */
import { runAccepted, type Session } from '@expresslane/shared/wire/protocol'
import { errorBody, type Problem } from '@expresslane/shared/base/errors'
import { auditResponse, roomView } from '@expresslane/shared/wire/board'
import { me } from '@expresslane/shared/wire/room'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { classroom, type Person } from '../support/http/people.ts'
import { planOf } from '../support/runs/experiments.ts'

const pathOf = ({ id }: Session, step: string): string => `/api/sessions/${id}/steps/${step}/run`

async function refusalOf(who: Person, session: Session, step: string, body: object): Promise<Problem> {
  return (await who.read(errorBody, pathOf(session, step), 409, body)).error
}

describe('a participant’s run', () => {
  it('is refused with the seconds that it plans and that it can, and stores nothing', async () => {
    const { server, hers } = await classroom()
    const session = await hers.begins()
    const params = { repeats: 20, seconds: 120 }
    const problem = await refusalOf(hers, session, 'baseline', { params })
    expect(problem).toMatchObject({ code: 'run_too_long' })
    expect(problem.message).toContain('2400 s')
    expect(problem.message).toContain('120 s')
    expect(problem.remedy).toContain('Choose fewer repeats')
    expect(server.deps.store.runs.ofSession(session.id)).toEqual([])
    // 2 arms × 1 case × (50 + 5) × 120 s
    const bench = await hers.begins('bench')
    const plan = planOf({ repeats: 50, warmups: 5, seconds: 120 })
    const { message } = await refusalOf(hers, bench, 'run', { params: { plan } })
    expect(message).toContain('13200 s')
  })

  it('counts the steps of its solve together, and its second opinion alone', async () => {
    const { hers } = await classroom()
    const session = await hers.begins()
    const params = { repeats: 6, seconds: 15 }
    const solve = await refusalOf(hers, session, 'compare', { params, solve: true })
    expect(solve.message).toMatch(/^Solve plans 180 s/)
    expect(solve.remedy).toContain('one by one')
    const bench = await hers.begins('bench')
    // The bench runs each arm once, and the counted machine at least four times.
    const plan = planOf({ repeats: 1, warmups: 0, seconds: 1 })
    const cases = Array.from({ length: 16 }, (_, at) => ({ ...plan.cases[0], id: `c${at}` }))
    const opinion = await refusalOf(hers, bench, 'run', { params: { plan: { ...plan, cases }, opinion: true } })
    expect(opinion.message).toMatch(/^The second opinion plans 128 s/)
  })

  it('has the limit of the configuration, which the page learns', async () => {
    const { hers, instructor } = await classroom({ env: { EXPRESSLANE_MOST_SECONDS: '40' } })
    expect((await hers.read(me, '/api/me')).mostSeconds).toBe(40)
    expect((await instructor.read(me, '/api/me')).mostSeconds).toBeNull()
    const session = await hers.begins()
    const { message } = await refusalOf(hers, session, 'baseline', { params: { repeats: 2, seconds: 21 } })
    expect(message).toContain('can plan 40 s')
    expect(readConfig({}).mostSeconds).toBe(120)
    expect(() => readConfig({ EXPRESSLANE_MOST_SECONDS: '0' })).toThrow(
      expect.objectContaining({ code: 'config_invalid' }),
    )
  })

  it('can be as long as an instructor makes it', async () => {
    const { server, hers, instructor } = await classroom()
    const session = await hers.begins()
    const body = { params: { repeats: 20, seconds: 120 } }
    const { runId } = await instructor.read(runAccepted, pathOf(session, 'baseline'), 202, body)
    await server.deps.scheduler.settled(runId)
    expect(server.deps.store.runs.find(runId)?.params).toMatchObject(body.params)
  })
})

describe('a run that takes long', () => {
  it('is on the board, where the instructor cancels it', async () => {
    const { server, hers, instructor } = await classroom()
    const { deps, fakes } = server
    const bench = await hers.begins('bench')
    await deps.testbeds.get(bench.testbed)
    const door = fakes.at(-1)?.hold('netperf')
    const params = { plan: planOf({ repeats: 2, warmups: 0, seconds: 30 }) }
    const { runId } = await hers.read(runAccepted, pathOf(bench, 'run'), 202, { params })
    await door?.reached
    const { queue } = await instructor.read(roomView, '/api/room')
    expect(queue.running).toMatchObject([{ runId, person: 'alice', labId: 'bench', stepId: 'run' }])
    expect(queue.running[0]?.leftSeconds).toBeGreaterThan(100)
    await instructor.read(runAccepted, `/api/runs/${runId}/cancel`, 202, {})
    door?.open()
    await deps.scheduler.settled(runId)
    expect(deps.store.runs.find(runId)?.state).toBe('cancelled')
    expect((await instructor.read(roomView, '/api/room')).queue.running).toEqual([])
    const { entries } = await instructor.read(auditResponse, '/api/audit')
    expect(entries).toContainEqual(
      expect.objectContaining({ principal: 'owner', action: 'POST /api/runs/:id/cancel', status: 202 }),
    )
  })
})
