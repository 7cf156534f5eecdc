/** Answers that are made once, and who may keep which. */
import { runAccepted } from '@expresslane/shared/wire/protocol'
import { fastify } from 'fastify'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createKept, packJson } from '../../src/routes/http/kept.ts'
import { latch } from '../support/latch.ts'
import { classroom, preflight } from '../support/http/people.ts'
import { addressOf, lines } from '../support/http/routes.ts'

/** An app with an answer that is made of `revision`. */
async function serve(mostBytes?: number) {
  const app = fastify()
  onTestFinished(() => app.close())
  const kept = createKept(mostBytes)
  const made: string[] = []
  const door = latch()
  let shut = false
  app.get<{ Params: { revision: string } }>('/:revision', (request, reply) => {
    const { revision } = request.params
    return kept.send(request, reply, revision, async () => {
      made.push(revision)
      if (shut) await door.pass(new AbortController().signal)
      return packJson(JSON.stringify({ revision }))
    })
  })
  const get = (revision: string, headers: Record<string, string> = {}) => app.inject({ url: `/${revision}`, headers })
  const shutDoor = (): void => {
    shut = true
  }
  return { get, made, door, shutDoor }
}

describe('a kept answer', () => {
  it('is made once for each revision', async () => {
    const { get, made } = await serve()
    for (const revision of ['1', '1', '2', '1']) {
      const answer = await get(revision)
      expect(answer.json()).toEqual({ revision })
      expect(answer.headers['cache-control']).toBe('private, no-cache')
    }
    expect(made).toEqual(['1', '2'])
  })

  it('is made once for those who ask while it is made', async () => {
    const { get, made, door, shutDoor } = await serve()
    shutDoor()
    const asked = [get('1'), get('1')]
    await door.reached
    door.open()
    for (const answer of await Promise.all(asked)) expect(answer.json()).toEqual({ revision: '1' })
    expect(made).toEqual(['1'])
  })

  it('is not sent again to who has it, also in another encoding', async () => {
    const { get } = await serve()
    const tag = String((await get('1', { 'accept-encoding': 'gzip' })).headers.etag)
    const again = await get('1', { 'if-none-match': `"other", ${tag}` })
    expect([again.statusCode, again.body]).toEqual([304, ''])
    expect((await get('2', { 'if-none-match': tag })).statusCode).toBe(200)
  })

  it('goes when others need its place, the one first that nobody asked for the longest', async () => {
    const { gzip } = await packJson(JSON.stringify({ revision: '1' }))
    const { get, made } = await serve(2 * gzip.length)
    for (const revision of ['1', '2', '1', '3', '1', '2']) await get(revision)
    expect(made).toEqual(['1', '2', '3', '2'])
  })
})

describe('over the whole API', () => {
  it('answers with an ETag are asked for again each time, all others are kept nowhere', async () => {
    const { server, hers } = await classroom()
    const session = await hers.begins()
    const run = await preflight(server, hers, session.id)
    const ids = { session: session.id, run, testbed: 'netns' }
    const tagged = new Set<string>()
    for (const { method, route } of lines) {
      if (method !== 'GET' || !route.startsWith('/api/') || route === '/api/stream') continue
      const answer = await server.call(addressOf(route, ids))
      const { etag } = answer.headers
      if (etag !== undefined) {
        tagged.add(route)
        const again = await server.call(addressOf(route, ids), { headers: { 'if-none-match': etag } })
        // A testbed's answer has the time of its reading.
        if (!route.startsWith('/api/testbeds')) expect(again.status, route).toBe(304)
      }
      expect(answer.headers['cache-control'], route).toBe(etag === undefined ? 'no-store' : 'private, no-cache')
    }
    expect([...tagged].toSorted()).toEqual([
      '/api/compare/report',
      '/api/labs',
      '/api/openapi.json',
      '/api/runs/:id/report',
      '/api/sessions/:id/report',
      '/api/testbeds',
      '/api/testbeds/:id',
    ])
  })

  it('a report is made again when a run has gone on', async () => {
    const { server, hers } = await classroom()
    const session = await hers.begins()
    await preflight(server, hers, session.id)
    const report = `/api/sessions/${session.id}/report?format=json`
    const before = await hers.text(report)
    expect(await hers.text(report)).toBe(before)
    const { runId } = await hers.read(runAccepted, `/api/sessions/${session.id}/steps/deploy/run`, 202, {})
    await server.deps.scheduler.settled(runId)
    expect(await hers.text(report)).toContain(runId)
  })

  it('the list of labs is another one for those who may not read the notes', async () => {
    const { instructor, hers } = await classroom()
    const hasNotes = (text: string): boolean => /"notes":"/.test(text)
    expect(hasNotes(await instructor.text('/api/labs'))).toBe(true)
    expect(hasNotes(await hers.text('/api/labs'))).toBe(false)
  })
})
