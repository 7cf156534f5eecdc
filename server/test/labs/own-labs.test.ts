/** An instructor's own labs in a running server: read, followed, broken, removed. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorBody } from '@expresslane/shared/base/errors'
import { labsResponse, runAccepted, sessionView } from '@expresslane/shared/wire/protocol'
import type { StreamFrame } from '@expresslane/shared/wire/stream'
import { describe, expect, it } from 'vitest'
import { dataDir } from '../support/deps.ts'
import { startServer, type TestServer } from '../support/http/server.ts'
import { connect } from '../support/http/stream-client.ts'
import { good } from './good-lab.ts'

const json = { 'content-type': 'application/json' }

/** Whether the stream has sent a revision of the labs. */
function sent(revision: number) {
  return (frames: readonly StreamFrame[]): boolean =>
    frames.some((frame) => frame.type === 'labs' && frame.revision === revision)
}

async function labs(server: TestServer) {
  const { text } = await server.call('/api/labs')
  return labsResponse.parse(JSON.parse(text))
}

describe('EXPRESSLANE_LABS', () => {
  it('adds labs, sends a frame when one is edited, and keeps the session of a deleted one', async () => {
    const folder = dataDir()
    const file = join(folder, 'mine.md')
    writeFileSync(file, good)
    const server = await startServer({ env: { EXPRESSLANE_LABS: folder } })
    const found = await labs(server)
    expect(found.problems).toEqual([])
    const own = found.labs.filter(({ origin }) => origin === 'own')
    expect(own.map(({ id }) => id)).toEqual(['mine-ipv4', 'mine-ipv6'])
    expect(found.labs.some(({ id, origin }) => id === 'big-tcp-ipv4' && origin === 'shipped')).toBe(true)
    const body = JSON.stringify({ labId: 'mine-ipv4', testbed: 'netns' })
    const { session } = sessionView.parse(
      JSON.parse((await server.call('/api/sessions', { method: 'POST', headers: json, body })).text),
    )

    const stream = connect(server)
    await stream.until((frames) => frames.length > 0)
    await server.deps.labs.watching()
    rmSync(file)
    await stream.until(sent(1))
    expect((await labs(server)).labs.some(({ origin }) => origin === 'own')).toBe(false)
    const run = `/api/sessions/${session.id}/steps/preflight/run`
    const refused = await server.call(run, { method: 'POST', headers: json, body: '{}' })
    expect(refused.status).toBe(404)
    const { error } = errorBody.parse(JSON.parse(refused.text))
    expect(error.message).toContain('mine-ipv4')
    expect(error.remedy).toContain('The history keeps the measurements')
    expect((await server.call(`/api/sessions/${session.id}`)).status).toBe(200)
    // The session's testbed can still be reset.
    const reset = await server.call(`/api/sessions/${session.id}/reset`, { method: 'POST', headers: json, body: '{}' })
    expect(reset.status).toBe(202)

    const back = stream.until(sent(2))
    writeFileSync(file, good)
    await back
    await server.deps.scheduler.settled(runAccepted.parse(JSON.parse(reset.text)).runId)
    expect((await server.call(run, { method: 'POST', headers: json, body: '{}' })).status).toBe(202)
  })
})
