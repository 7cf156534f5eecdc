/** A presented session is read by the room, and changed by the presenter alone. */
import {
  labsResponse,
  opinionResponse,
  runAccepted,
  runResponse,
  sessionView,
  testbedsResponse,
  testbedView,
  type Session,
} from '@expresslane/shared/wire/protocol'
import { describe, expect, it } from 'vitest'
import { createFakeTestbed } from '../support/fakes/fake-testbed.ts'
import { classroom, preflight, type Classroom } from '../support/http/people.ts'
import { greeted } from '../support/http/stream-client.ts'
import { planOf } from '../support/runs/experiments.ts'

interface Talk extends Classroom {
  /** Null shows nothing. */
  show(session: Session | null): void
}

async function talk(): Promise<Talk> {
  const room = await classroom()
  const { presenting } = room.server.deps
  return {
    ...room,
    show(session) {
      if (session === null) presenting.end()
      else presenting.begin(session, 'preflight')
    },
  }
}

async function presentation() {
  const room = await talk()
  const session = await room.instructor.begins()
  const runId = await preflight(room.server, room.instructor, session.id)
  return { ...room, session, runId }
}

describe('the second opinion on a presented experiment', () => {
  it('is read and heard by the room as the experiment is, and changed by nobody', async () => {
    const counted = () => createFakeTestbed(undefined, { counted: true })
    const { server, instructor, hers, viewer } = await classroom({ counted })
    const { presenting, scheduler } = server.deps
    const session = await instructor.begins('bench')
    const asked = { params: { plan: planOf({ repeats: 4 }) } }
    const experiment = await instructor.read(runAccepted, `/api/sessions/${session.id}/steps/run/run`, 202, asked)
    await scheduler.settled(experiment.runId)
    presenting.begin(session, 'run')
    const stream = viewer.stream(0)
    await stream.until(greeted)
    const path = `/api/runs/${experiment.runId}/opinion`
    const { runId } = await instructor.read(runAccepted, path, 202, {})
    await scheduler.settled(runId)
    await stream.until(() => stream.events().some((one) => one.runId === runId && one.event.type === 'run.ended'))
    for (const who of [viewer, hers]) {
      expect(await who.read(opinionResponse, path)).toEqual({ runId })
      const { run } = await who.read(runResponse, `/api/runs/${runId}`)
      expect(run).toMatchObject({ testbed: 'counted', params: { opinionOf: experiment.runId } })
      // The second opinion's session has other runs, so only the run is shared.
      expect(await who.tries(`/api/sessions/${run.sessionId}`)).toEqual([404, 'not_found'])
      expect(await who.tries(`/api/runs/${runId}/cancel`, {})).toEqual([403, 'not_allowed'])
    }
    presenting.end()
    for (const who of [viewer, hers]) {
      expect(await who.tries(path)).toEqual([404, 'not_found'])
      expect(await who.tries(`/api/runs/${runId}`)).toEqual([404, 'not_found'])
    }
  })
})

describe('the presented session', () => {
  it('is read by viewers and participants while it is presented', async () => {
    const { viewer, hers, show, session, runId } = await presentation()
    for (const who of [viewer, hers]) {
      expect(await who.tries(`/api/sessions/${session.id}`)).toEqual([404, 'not_found'])
      expect(await who.tries(`/api/runs/${runId}`)).toEqual([404, 'not_found'])
      show(session)
      expect((await who.read(sessionView, `/api/sessions/${session.id}`)).session).toEqual(session)
      expect((await who.read(runResponse, `/api/runs/${runId}`)).run.id).toBe(runId)
      expect((await who.read(testbedView, '/api/testbeds/netns')).id).toBe('netns')
      show(null)
      expect(await who.tries(`/api/sessions/${session.id}`)).toEqual([404, 'not_found'])
    }
  })

  it('is changed by nobody but the instructor', async () => {
    const { viewer, hers, instructor, show, session, runId } = await presentation()
    show(session)
    for (const who of [viewer, hers]) {
      const refused = [403, 'not_allowed']
      expect(await who.tries(`/api/sessions/${session.id}/steps/preflight/run`, {})).toEqual(refused)
      expect(await who.tries(`/api/sessions/${session.id}/reset`, {})).toEqual(refused)
      expect(await who.tries(`/api/runs/${runId}/cancel`, {})).toEqual(refused)
    }
    expect(await instructor.tries(`/api/runs/${runId}/cancel`, {})).toEqual([409, 'run_not_running'])
  })

  it('is all that a viewer reads', async () => {
    const { viewer, hers, instructor, server, show, session } = await presentation()
    const other = await instructor.begins()
    const otherRun = await preflight(server, instructor, other.id)
    const herSession = await hers.begins()
    expect((await viewer.read(labsResponse, '/api/labs')).labs).toEqual([])
    show(session)
    const { labs, testbeds, problems } = await viewer.read(labsResponse, '/api/labs')
    expect([labs.map(({ id }) => id), testbeds, problems]).toEqual([[session.labId], [session.testbed], []])
    const views = await viewer.read(testbedsResponse, '/api/testbeds')
    expect(views.testbeds.map(({ id }) => id)).toEqual([session.testbed])
    for (const path of [
      `/api/sessions/${other.id}`,
      `/api/sessions/${herSession.id}`,
      `/api/runs/${otherRun}`,
      '/api/testbeds/netns@alice',
    ]) {
      expect(await viewer.tries(path), path).toEqual([404, 'not_found'])
    }
  })

  it('shows its speaker’s notes to instructors only', async () => {
    const { viewer, hers, instructor, show, session } = await presentation()
    show(session)
    for (const [who, count] of [
      [instructor, 12],
      [hers, 0],
      [viewer, 0],
    ] as const) {
      const { labs } = await who.read(labsResponse, '/api/labs')
      const steps = labs.find(({ id }) => id === session.labId)?.steps ?? []
      expect(steps).toHaveLength(12)
      expect(steps.filter(({ notes }) => notes !== null)).toHaveLength(count)
      expect(steps.every(({ minutes }) => minutes !== null)).toBe(true)
    }
  })

  it('is heard while it is presented, and no longer', async () => {
    const { viewer, instructor, server, show, session, runId } = await presentation()
    const other = await instructor.begins()
    show(session)
    const stream = viewer.stream(0)
    await stream.until(greeted)
    const otherRun = await preflight(server, instructor, other.id)
    const next = await preflight(server, instructor, session.id)
    const ended = (id: string) => () =>
      stream.events().some((one) => one.runId === id && one.event.type === 'run.ended')
    await stream.until(ended(next))
    show(other)
    const unheard = await preflight(server, instructor, session.id)
    const last = await preflight(server, instructor, other.id)
    await stream.until(ended(last))
    const heard = new Set(stream.events().map((one) => one.runId))
    expect(heard).toEqual(new Set([runId, next, last]))
    expect(heard).not.toContain(otherRun)
    expect(heard).not.toContain(unheard)
  })
})
