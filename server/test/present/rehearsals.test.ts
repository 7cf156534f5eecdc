/** A lab is run quickly before a talk, in a session of its own. */
import { LabError } from '@expresslane/shared/base/errors'
import { rehearsalResponse } from '@expresslane/shared/wire/rehearsal'
import { describe, expect, it } from 'vitest'
import { beginSession, openRig, runStep } from '../support/deps.ts'
import { createFakeTestbed } from '../support/fakes/fake-testbed.ts'
import { classroom } from '../support/http/people.ts'

async function rehearsed(fake = createFakeTestbed()) {
  const { deps } = openRig({ fakes: [fake] })
  const session = await beginSession(deps)
  return { deps, session, fake }
}

describe('a rehearsal', () => {
  it('runs the whole lab with runs of a second, and leaves the session alone', async () => {
    const { deps, session } = await rehearsed()
    expect(deps.rehearsals.find(session)).toBeNull()
    const begun = await deps.rehearsals.begin(session)
    expect(begun).toMatchObject({ state: 'running', labId: session.labId, steps: { passed: 0, total: 11 } })
    const report = await deps.rehearsals.ended(session)
    expect(report).toMatchObject({ state: 'ready', steps: { passed: 11, total: 11 }, failed: null })
    expect(deps.rehearsals.find(session)).toEqual(report)
    expect(report.sessionId).not.toBe(session.id)
    expect(deps.store.runs.ofSession(session.id)).toEqual([])
    const runs = deps.store.runs.ofSession(report.sessionId)
    expect(runs.map(({ params }) => params.seconds)).toEqual(runs.map(() => 1))
    expect(report.expected?.talk).toBeGreaterThan(600)
    expect(report.effects).toMatchObject([{ stepId: 'compare', plannedRuns: 6, power: 0, neededRuns: null }])
    expect(report.says[0]).toBe('All 11 steps work here.')
  })

  it('names the tool of each comparison', async () => {
    const { deps } = openRig()
    const session = await beginSession(deps, 'how-big')
    await deps.rehearsals.begin(session)
    const { effects, says } = await deps.rehearsals.ended(session)
    expect(effects).toHaveLength(28)
    expect(effects[0]?.label).toBe('1 B (netperf TCP_RR), 64K → 128K')
    expect(says.some((one) => one.startsWith('0 of 28 comparisons'))).toBe(true)
  })

  it('keeps its recording, by a name of its own', async () => {
    const { deps, session } = await rehearsed()
    await deps.rehearsals.begin(session)
    const { recordingId, says } = await deps.rehearsals.ended(session)
    expect(deps.recordings.list()).toContainEqual(
      expect.objectContaining({ id: recordingId, name: 'Rehearsal: BIG TCP over IPv4', lab: session.labId, runs: 11 }),
    )
    expect(says.at(-1)).toContain(`“Rehearsal: BIG TCP over IPv4” (${recordingId})`)
  })

  it('says which step will not work, and restores the testbed', async () => {
    const { deps, session, fake } = await rehearsed()
    fake.fail('deploy', new LabError('workload_not_ready', 'A pod did not start.', 'Look at it.'))
    await deps.rehearsals.begin(session)
    const report = await deps.rehearsals.ended(session)
    expect(report).toMatchObject({
      state: 'failed',
      failed: { stepId: 'deploy', title: 'Deploy netperf', message: 'A pod did not start.' },
      expected: null,
      recordingId: null,
    })
    expect(report.says).toEqual(['“Deploy netperf” will not work here: A pod did not start.'])
    expect(deps.store.runs.ofSession(report.sessionId).at(-1)?.stepId).toBe('reset')
  })

  it('is one at a time, and ends when its run is cancelled', async () => {
    const { deps, session, fake } = await rehearsed()
    const door = fake.hold('preflight')
    const begun = await deps.rehearsals.begin(session)
    await door.reached
    expect(await deps.rehearsals.begin(session)).toMatchObject({ runId: begun.runId, state: 'running' })
    deps.scheduler.cancel(begun.runId)
    expect(await deps.rehearsals.ended(session)).toMatchObject({ state: 'cancelled', failed: null })
    expect((await deps.rehearsals.begin(session)).runId).not.toBe(begun.runId)
    await deps.rehearsals.ended(session)
  })

  it('is one, when two windows begin it at the same time', async () => {
    const { deps, session } = await rehearsed()
    const [one, other] = await Promise.all([deps.rehearsals.begin(session), deps.rehearsals.begin(session)])
    expect(other.runId).toBe(one.runId)
    await deps.rehearsals.ended(session)
    expect(deps.store.sessions.of(session.owner)).toHaveLength(2)
  })

  it('is refused once steps of the session have run, until a reset', async () => {
    const { deps, session } = await rehearsed()
    await runStep(deps, session, 'preflight')
    await expect(deps.rehearsals.begin(session)).rejects.toMatchObject({ code: 'step_not_ready' })
    const { runId } = await deps.scheduler.reset(session)
    await deps.scheduler.settled(runId)
    expect((await deps.rehearsals.begin(session)).state).toBe('running')
    await deps.rehearsals.ended(session)
  })

  it('refuses what has no plan of its own', async () => {
    const { deps } = openRig()
    await expect(deps.rehearsals.begin(await beginSession(deps, 'bench'))).rejects.toMatchObject({
      code: 'bad_request',
    })
  })

  it('is begun and read over HTTP, by instructors', async () => {
    const { instructor, hers, server } = await classroom()
    const session = await instructor.begins()
    const path = `/api/sessions/${session.id}/rehearsal`
    expect((await instructor.read(rehearsalResponse, path)).rehearsal).toBeNull()
    expect((await instructor.read(rehearsalResponse, path, 202, {})).rehearsal?.state).toBe('running')
    await server.deps.rehearsals.ended(session)
    expect((await instructor.read(rehearsalResponse, path)).rehearsal?.state).toBe('ready')
    expect(await hers.tries(path)).toEqual([403, 'not_allowed'])
    expect(await hers.tries(path, {})).toEqual([403, 'not_allowed'])
  })
})
