/** What a presenter shows is read by the room, and changed by nobody else. */
import {
  labsResponse,
  runResponse,
  sessionView,
  testbedsResponse,
  testbedView,
} from '@expresslane/shared/wire/protocol'
import { describe, expect, it } from 'vitest'
import type { Presented } from '../../src/access/policy.ts'
import { classroom, preflight, type Classroom } from '../support/people.ts'
import { greeted } from '../support/stream-client.ts'

interface Talk extends Classroom {
  /** Null shows nothing. */
  show(session: Presented | null): void
}

async function talk(): Promise<Talk> {
  let shown: Presented | null = null
  const room = await classroom({ presented: () => shown })
  return { ...room, show: (session) => (shown = session) }
}

async function presentation() {
  const room = await talk()
  const session = await room.instructor.begins()
  const runId = await preflight(room.server, room.instructor, session.id)
  return {
    ...room,
    session,
    runId,
    presented: { sessionId: session.id, labId: session.labId, testbed: session.testbed },
  }
}

describe('the presented session', () => {
  it('is read by viewers and participants while it is presented', async () => {
    const { viewer, hers, show, session, runId, presented } = await presentation()
    for (const who of [viewer, hers]) {
      expect(await who.tries(`/api/sessions/${session.id}`)).toEqual([404, 'not_found'])
      expect(await who.tries(`/api/runs/${runId}`)).toEqual([404, 'not_found'])
      show(presented)
      expect((await who.read(sessionView, `/api/sessions/${session.id}`)).session).toEqual(session)
      expect((await who.read(runResponse, `/api/runs/${runId}`)).run.id).toBe(runId)
      expect((await who.read(testbedView, '/api/testbeds/netns')).id).toBe('netns')
      show(null)
      expect(await who.tries(`/api/sessions/${session.id}`)).toEqual([404, 'not_found'])
    }
  })

  it('is changed by nobody but the instructor', async () => {
    const { viewer, hers, instructor, show, session, runId, presented } = await presentation()
    show(presented)
    for (const who of [viewer, hers]) {
      const refused = [403, 'not_allowed']
      expect(await who.tries(`/api/sessions/${session.id}/steps/preflight/run`, {})).toEqual(refused)
      expect(await who.tries(`/api/sessions/${session.id}/reset`, {})).toEqual(refused)
      expect(await who.tries(`/api/runs/${runId}/cancel`, {})).toEqual(refused)
    }
    expect(await instructor.tries(`/api/runs/${runId}/cancel`, {})).toEqual([409, 'run_not_running'])
  })

  it('is all that a viewer reads', async () => {
    const { viewer, hers, instructor, server, show, session, presented } = await presentation()
    const other = await instructor.begins()
    const otherRun = await preflight(server, instructor, other.id)
    const herSession = await hers.begins()
    expect((await viewer.read(labsResponse, '/api/labs')).labs).toEqual([])
    show(presented)
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

  it('is heard while it is presented, and no longer', async () => {
    const { viewer, instructor, server, show, session, runId, presented } = await presentation()
    const other = await instructor.begins()
    show(presented)
    const stream = viewer.stream(0)
    await stream.until(greeted)
    const otherRun = await preflight(server, instructor, other.id)
    const next = await preflight(server, instructor, session.id)
    const ended = (id: string) => () =>
      stream.events().some((one) => one.runId === id && one.event.type === 'run.ended')
    await stream.until(ended(next))
    show({ ...presented, sessionId: other.id })
    const unheard = await preflight(server, instructor, session.id)
    const last = await preflight(server, instructor, other.id)
    await stream.until(ended(last))
    const heard = new Set(stream.events().map((one) => one.runId))
    expect(heard).toEqual(new Set([runId, next, last]))
    expect(heard).not.toContain(otherRun)
    expect(heard).not.toContain(unheard)
  })
})
