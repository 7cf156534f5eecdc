/** Somebody who knows the ids of others: on every route they are ids of nothing, and no stream says more. */
import { runsResponse } from '@expresslane/shared/wire/protocol'
import { describe, expect, it } from 'vitest'
import { framePolicy } from '../../src/access/policy.ts'
import { type Classroom, type Person, classroom, preflight } from '../support/http/people.ts'
import { addressOf, bodyOf, lines, namesSomething, noIds } from '../support/http/routes.ts'
import { greeted, type StreamClient } from '../support/http/stream-client.ts'

async function withAlice(): Promise<Classroom & { readonly ids: typeof noIds }> {
  const room = await classroom()
  const { id: session, testbed } = await room.hers.begins()
  const run = await preflight(room.server, room.hers, session)
  return { ...room, ids: { session, run, testbed } }
}

/** An answer's status and text, without the requested ids. */
async function answerTo(who: Person, method: string, route: string, ids: typeof noIds): Promise<[number, string]> {
  const { status, text } = await who.call(addressOf(route, ids), bodyOf(method, route), method)
  return [status, [ids.session, ids.run, ids.testbed].reduce<string>((left, id) => left.replaceAll(id, 'ID'), text)]
}

describe('ids of another participant', () => {
  const guessed = lines.filter(({ route }) => namesSomething(route))

  it('answer a participant on every route as ids of nothing do', async () => {
    const { his, ids } = await withAlice()
    expect(guessed.length).toBeGreaterThan(12)
    for (const { method, route } of guessed) {
      const answer = await answerTo(his, method, route, ids)
      expect([method, route, [403, 404].includes(answer[0])]).toEqual([method, route, true])
      expect([method, route, answer]).toEqual([method, route, await answerTo(his, method, route, noIds)])
    }
  })

  it('answer a viewer so, too', async () => {
    const { viewer, ids } = await withAlice()
    for (const { method, route } of guessed) {
      const answer = await answerTo(viewer, method, route, ids)
      expect([method, route, [403, 404].includes(answer[0])]).toEqual([method, route, true])
      expect([method, route, answer]).toEqual([method, route, await answerTo(viewer, method, route, noIds)])
    }
  })

  it('change nothing: her runs are as before', async () => {
    const { his, viewer, hers, ids } = await withAlice()
    const before = await hers.read(runsResponse, '/api/runs')
    for (const { method, route } of guessed) {
      if (method === 'GET') continue
      await his.call(addressOf(route, ids), bodyOf(method, route), method)
      await viewer.call(addressOf(route, ids), bodyOf(method, route), method)
    }
    expect(await hers.read(runsResponse, '/api/runs')).toEqual(before)
  })

  it('name no testbed to begin on, in any spelling', async () => {
    const { his } = await withAlice()
    for (const testbed of [
      'netns@alice',
      'netns@owner',
      'netns:x@alice',
      'kubernetes@alice',
      'NETNS@alice',
      'netns@alice ',
    ]) {
      const [status] = await his.tries('/api/sessions', { labId: 'big-tcp-ipv4', testbed })
      expect([testbed, status === 404 || status === 400]).toEqual([testbed, true])
    }
  })
})

describe('the frames of a stream', () => {
  it('are those of the role, whatever happens in the room', async () => {
    const { server, instructor, hers, his, viewer } = await classroom()
    const streams = {
      instructor: instructor.stream(0),
      hers: hers.stream(0),
      his: his.stream(0),
      viewer: viewer.stream(0),
    }
    await Promise.all(Object.values(streams).map((stream) => stream.until(greeted)))
    const herSession = await hers.begins()
    const herRun = await preflight(server, hers, herSession.id)
    const talk = await instructor.begins()
    const body = { sessionId: talk.id, stepId: 'preflight' }
    expect(await instructor.tries('/api/presentation', body, 'PUT')).toEqual([200, null])
    const talkRun = await preflight(server, instructor, talk.id)
    expect(await instructor.tries('/api/room/messages', { to: 'alice', text: 'For Alice' })).toEqual([204, null])
    // The last thing that everybody hears: the end of the talk, after all that is above.
    await instructor.tries('/api/presentation', undefined, 'DELETE')
    const over = (stream: StreamClient) =>
      stream.until((frames) => {
        const shown = frames.findIndex((frame) => frame.type === 'presentation' && frame.presentation !== null)
        return (
          shown !== -1 &&
          frames.slice(shown).some((frame) => frame.type === 'presentation' && frame.presentation === null)
        )
      })
    await Promise.all(Object.values(streams).map(over))
    const typesOf = (stream: StreamClient) => new Set(stream.frames.map(({ type }) => type))
    for (const [name, stream] of Object.entries(streams)) {
      const role = name === 'instructor' || name === 'viewer' ? name : 'participant'
      for (const type of typesOf(stream))
        expect([name, type, framePolicy[type].includes(role)]).toEqual([name, type, true])
    }
    expect(typesOf(streams.hers)).toContain('message')
    for (const stream of [streams.his, streams.viewer]) expect(JSON.stringify(stream.frames)).not.toContain('For Alice')
    for (const stream of [streams.his, streams.viewer]) {
      const text = JSON.stringify(stream.frames)
      for (const id of ['netns@alice', herSession.id, herRun]) expect(text).not.toContain(id)
      expect(text).toContain(talkRun)
    }
  })
})
