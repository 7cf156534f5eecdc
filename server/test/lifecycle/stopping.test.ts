/** The end of the server: whatever hangs, it ends within its time and names what it leaves. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { errorBody } from '@expresslane/shared/base/errors'
import { beginStopping, endBy, named } from '../../src/stopping.ts'
import { testClock } from '../support/clock.ts'
import { beginSession } from '../support/deps.ts'
import { createFakeTestbed } from '../support/fakes/fake-testbed.ts'
import { startServer } from '../support/http/server.ts'
import { latch } from '../support/latch.ts'

const never = new Promise<never>(() => {})

describe('stopping', () => {
  it('ends one part after the other, and what hangs in its time', async () => {
    const clock = testClock()
    const errors: unknown[] = []
    const stopping = beginStopping(clock, (error) => errors.push(error))
    const runs = latch()
    const ended = stopping.end('runs', [
      named('one', () => runs.pass(new AbortController().signal)),
      named('two', () => Promise.reject(new Error('no'))),
    ])
    await runs.reached
    clock.advance(endBy.runs)
    await ended
    expect(stopping.left()).toEqual(['one'])
    await stopping.end('connections', [named('three', async () => {})])
    const last = stopping.end('testbeds', [named('four', () => never)])
    clock.advance(endBy.testbeds - endBy.runs)
    await last
    expect(stopping.left()).toEqual(['one', 'four'])
    expect(errors).toEqual([new Error('no')])
    expect(endBy.testbeds).toBeLessThan(5000)
  })

  it('names the run and the testbed that do not end', async () => {
    const clock = testClock()
    const fake = createFakeTestbed()
    const { deps, stop } = await startServer({ clock, fakes: [fake] })
    const session = await beginSession(deps)
    const run = fake.hold('preflight', { deaf: true })
    const { runId } = await deps.scheduler.start(session, { stepId: 'preflight', params: {}, solve: false })
    await run.reached
    const testbed = fake.hold('close', { deaf: true })
    const stopped = stop()
    clock.advance(endBy.runs)
    await testbed.reached
    clock.advance(endBy.testbeds - endBy.runs)
    await stopped
    const left = [`the step preflight on netns (run ${runId})`, 'the testbed netns']
    expect(deps.left()).toEqual(expect.arrayContaining(left))
    run.open()
    testbed.open()
  })

  it('closes a testbed while a request still waits for it', async () => {
    const fake = createFakeTestbed()
    const { deps, call, stop } = await startServer({ clock: testClock(), fakes: [fake] })
    const read = fake.hold('read', { deaf: true })
    const asked = call('/api/testbeds/netns')
    await read.reached
    const close = fake.hold('close')
    const stopped = stop()
    await close.reached
    close.open()
    read.open()
    expect((await asked).status).toBe(200)
    await stopped
    expect(deps.left()).toEqual([])
  })

  it('cuts a stream whose client does not answer', async () => {
    const { deps, port, token, stop } = await startServer()
    const socket = connect(port, '127.0.0.1')
    socket.write(
      `GET /api/stream HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ${token}\r\nconnection: upgrade\r\n` +
        'upgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
    )
    await once(socket, 'data')
    socket.pause()
    await stop()
    expect(deps.left()).toEqual([])
    socket.destroy()
  })
})

describe('a request', () => {
  it('is answered and cut if its body does not come in time', async () => {
    const { port, token } = await startServer({ config: { requestMs: 300 } })
    const socket = connect(port, '127.0.0.1')
    let text = ''
    socket.setEncoding('utf8').on('data', (part: string) => (text += part))
    socket.write(
      `POST /api/sessions HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ${token}\r\n` +
        'content-type: application/json\r\ncontent-length: 100\r\n\r\n{',
    )
    await once(socket, 'close')
    const [head = '', body = ''] = text.split('\r\n\r\n')
    expect(head).toContain(' 408 ')
    expect(errorBody.parse(JSON.parse(body)).error.code).toBe('bad_request')
  })

  it('has a minute', async () => {
    const { deps } = await startServer()
    expect(deps.config.requestMs).toBe(60_000)
  })
})
