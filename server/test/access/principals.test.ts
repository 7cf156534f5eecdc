/** Two principals on one server: neither finds, hears or stops what the other does. */
import { runsResponse, sessionsResponse } from '@expresslane/shared/wire/protocol'
import { describe, expect, it } from 'vitest'
import { classroom, preflight, type Person } from '../support/http/people.ts'
import { greeted, type StreamClient } from '../support/http/stream-client.ts'

const runsHeard = (client: StreamClient): Set<string> => new Set(client.events().map(({ runId }) => runId))

describe('two principals', () => {
  it('own the sessions that they begin, and find no other’s', async () => {
    const { instructor, hers, his } = await classroom()
    const [one, other] = [await hers.begins(), await his.begins()]
    expect([one.owner, other.owner]).toEqual(['alice', 'bob'])
    const listed = async (who: Person) =>
      (await who.read(sessionsResponse, '/api/sessions')).sessions.map(({ id }) => id)
    expect(await listed(hers)).toEqual([one.id])
    expect(await listed(his)).toEqual([other.id])
    expect(await listed(instructor)).toEqual([other.id, one.id])
    expect((await instructor.tries(`/api/sessions/${one.id}`))[0]).toBe(200)
  })

  it('may not look at, run, reset, export or cancel what is the other’s', async () => {
    const { server, instructor, hers, his } = await classroom()
    const session = await hers.begins()
    const runId = await preflight(server, hers, session.id)
    const own = await preflight(server, his, (await his.begins()).id)
    const gone = [404, 'not_found']
    expect(await his.tries(`/api/sessions/${session.id}`)).toEqual(gone)
    expect(await his.tries(`/api/sessions/${session.id}/steps/preflight/run`, {})).toEqual(gone)
    expect(await his.tries(`/api/sessions/${session.id}/reset`, {})).toEqual(gone)
    expect(await his.tries(`/api/sessions/${session.id}/report`)).toEqual(gone)
    expect(await his.tries(`/api/sessions/${session.id}/recording`)).toEqual(gone)
    expect(await his.tries(`/api/runs/${runId}`)).toEqual(gone)
    expect(await his.tries(`/api/runs/${runId}/report`)).toEqual(gone)
    expect(await his.tries(`/api/runs/${runId}/recording`)).toEqual(gone)
    expect(await his.tries(`/api/runs/${runId}/cancel`, {})).toEqual(gone)
    expect(await his.tries(`/api/compare/report?a=${own}&b=${runId}`)).toEqual(gone)
    expect((await his.read(runsResponse, '/api/runs')).runs.map(({ id }) => id)).toEqual([own])
    expect((await instructor.read(runsResponse, '/api/runs')).runs.map(({ id }) => id)).toEqual([own, runId])
  })

  it('hear their own events alone, replayed and live; the instructor hears all', async () => {
    const { server, instructor, hers, his } = await classroom()
    const [one, other] = [await hers.begins(), await his.begins()]
    const before = [await preflight(server, hers, one.id), await preflight(server, his, other.id)]
    const clients = [hers, his, instructor].map((who) => who.stream(0))
    await Promise.all(clients.map((client) => client.until(greeted)))
    const after = [await preflight(server, hers, one.id), await preflight(server, his, other.id)]
    const heard = (runs: readonly (string | undefined)[]) => (client: StreamClient | undefined) =>
      client?.until(() =>
        runs.every((id) => client.events().some((of) => of.runId === id && of.event.type === 'run.ended')),
      )
    const [herStream, hisStream, instructorsStream] = clients
    await Promise.all([
      heard([before[0], after[0]])(herStream),
      heard([before[1], after[1]])(hisStream),
      heard([...before, ...after])(instructorsStream),
    ])
    if (herStream === undefined || hisStream === undefined || instructorsStream === undefined)
      throw new Error('no stream')
    expect(runsHeard(herStream)).toEqual(new Set([before[0], after[0]]))
    expect(runsHeard(hisStream)).toEqual(new Set([before[1], after[1]]))
    expect(runsHeard(instructorsStream)).toEqual(new Set([...before, ...after]))
  })

  it('use their own part of this machine, and see no other’s path', async () => {
    const { hers, his } = await classroom()
    const stream = his.stream()
    await stream.until(greeted)
    await hers.begins('big-tcp-ipv4', 'netns@alice')
    expect(await his.tries('/api/sessions', { labId: 'big-tcp-ipv4', testbed: 'netns@alice' })).toEqual([
      404,
      'not_found',
    ])
    expect(await his.tries('/api/testbeds/netns@alice')).toEqual([404, 'not_found'])
    await his.begins('big-tcp-ipv4', 'netns@bob')
    await stream.until((frames) => frames.some((frame) => frame.type === 'live' && frame.testbed === 'netns@bob'))
    const seen = stream.frames.flatMap((frame) => (frame.type === 'live' ? [frame.testbed] : []))
    expect(seen).not.toContain('netns@alice')
    expect(seen).not.toContain('netns')
  })

  it('change nothing that is everybody’s', async () => {
    const { instructor, his } = await classroom()
    const refused = [403, 'not_allowed']
    expect(await his.tries('/api/testbeds/kubernetes/context', { context: 'x' }, 'PUT')).toEqual(refused)
    expect(await his.tries('/api/recordings', {})).toEqual(refused)
    expect(await his.tries('/api/recordings/none', undefined, 'DELETE')).toEqual(refused)
    expect(await his.tries('/api/profiles/none', undefined, 'DELETE')).toEqual(refused)
    expect(await instructor.tries('/api/profiles/none', undefined, 'DELETE')).toEqual([404, 'not_found'])
    expect((await his.tries('/api/profiles'))[0]).toBe(200)
  })
})
