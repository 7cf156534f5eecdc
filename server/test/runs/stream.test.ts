/** The stream over real sockets: everything once, in order, whatever happens to the connection. */
import { once } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { runId, type RunEvent } from '@expresslane/shared/run/events'
import { streamClose } from '@expresslane/shared/wire/stream'
import { describe, expect, it } from 'vitest'
import { beginSession } from '../support/deps.ts'
import { seeded } from '../support/random.ts'
import { recordedRun } from '../support/runs/runs.ts'
import { startServer, type TestServer } from '../support/http/server.ts'
import { connect, greeted, upTo, type StreamClient } from '../support/http/stream-client.ts'

const RUN = runId.parse('r_00000001')
const progress = (done: number): RunEvent => ({
  type: 'progress',
  subject: null,
  message: 'going',
  done,
  total: 1_000_000,
})
const seqs = (client: StreamClient): number[] => client.events().map(({ seq }) => seq)
const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, index) => from + index)

/** A server with a run that has `count` events. */
async function withEvents(count: number): Promise<TestServer> {
  const server = await startServer()
  recordedRun(server.deps.store, server.deps.log, RUN)
  for (let done = 1; done < count; done += 1) server.deps.log.append(RUN, progress(done))
  return server
}

describe('a client', () => {
  it('receives a hello first, then every new event', async () => {
    const server = await withEvents(3)
    const client = connect(server)
    await client.until(greeted)
    expect(client.frames[0]).toMatchObject({ type: 'hello', seq: 3, version: expect.stringMatching(/^\d+\./) })
    server.deps.log.append(RUN, progress(4))
    await client.until(upTo(4))
    expect(seqs(client)).toEqual([4])
  })

  it('receives a hello before the path', async () => {
    const server = await startServer()
    const live = (client: StreamClient) => client.until((frames) => frames.some(({ type }) => type === 'live'))
    await live(connect(server))
    const second = connect(server)
    await live(second)
    expect(second.frames.map(({ type }) => type).slice(0, 2)).toEqual(['hello', 'live'])
    expect(second.frames[1]).toMatchObject({ testbed: 'netns', incarnation: server.fakes[0]?.id })
  })

  it.each([0, 1, 700, 1499])('receives everything after %i, and then new events', async (after) => {
    const server = await withEvents(1500)
    const client = connect(server, after)
    await client.until(greeted)
    server.deps.log.append(RUN, progress(1500))
    await client.until(upTo(1501))
    expect(seqs(client)).toEqual(range(after + 1, 1501))
  })

  it('starts with the next event if it is ahead of the log', async () => {
    const server = await withEvents(2)
    const client = connect(server, 999)
    await client.until(greeted)
    expect(client.frames[0]).toMatchObject({ seq: 2 })
    server.deps.log.append(RUN, progress(3))
    await client.until(upTo(3))
    expect(seqs(client)).toEqual([3])
  })

  it('is refused before the upgrade if `after` is not a number', async () => {
    const server = await withEvents(1)
    const { socket } = connect(server, Number.NaN)
    const [, answer] = (await once(socket, 'unexpected-response')) as [unknown, { statusCode: number }]
    expect(answer.statusCode).toBe(400)
    socket.terminate()
  })

  it('receives events of another process on the same data directory', async () => {
    const server = await startServer()
    const other = await startServer({ data: server.data })
    recordedRun(server.deps.store, server.deps.log, RUN)
    const client = connect(server)
    await client.until(greeted)
    other.deps.log.append(RUN, progress(2))
    server.deps.log.append(RUN, progress(3))
    await client.until(upTo(3))
    expect(seqs(client)).toEqual([2, 3])
  })
})

describe('disconnects', () => {
  it('a thousand at random lose and duplicate nothing', async () => {
    const server = await withEvents(1)
    const { log } = server.deps
    const CLIENTS = 5
    const DISCONNECTS = 200
    const going = new Set(range(1, CLIENTS))

    async function append(): Promise<void> {
      for (let done = 1; going.size > 0; done += 1) {
        log.append(RUN, progress(done))
        await setImmediate()
      }
    }

    /** As a page does it: keeps what it has understood, and asks for what comes after. */
    async function follow(seed: number): Promise<number[]> {
      const random = seeded(seed)
      const got: number[] = []
      for (let left = DISCONNECTS; left > 0; left -= 1) {
        const client = connect(server, got.at(-1) ?? 0)
        const frames = Math.floor(random() * 8)
        // With none the connection breaks in the middle of the upgrade.
        if (frames > 0) await client.until(({ length }) => length >= frames)
        got.push(...seqs(client))
        client.socket.terminate()
        await client.closed
      }
      going.delete(seed)
      const last = connect(server, got.at(-1) ?? 0)
      await last.until(upTo(log.seq()))
      return [...got, ...seqs(last)]
    }

    const [all] = await Promise.all([Promise.all(range(1, CLIENTS).map(follow)), append()])
    for (const got of all) expect(got).toEqual(range(1, got.length))
    expect(Math.min(...all.map(({ length }) => length))).toBeGreaterThan(DISCONNECTS)
  })

  it('close with their code if a client reads too slowly, and resume', async () => {
    const server = await withEvents(1)
    const { log } = server.deps
    const client = connect(server)
    await client.until(greeted)
    const text = 'x'.repeat(100_000)
    // All events in one turn of the event loop, in which the client reads nothing.
    log.together((append) => {
      for (let count = 0; count < 400; count += 1)
        append(RUN, { type: 'command.output', commandId: 0, stream: 'stdout', text })
    })
    expect(await client.closed).toBe(streamClose.tooSlow)
    const got = seqs(client)
    expect(got.length).toBeLessThan(400)
    const again = connect(server, got.at(-1) ?? 1)
    // Much more than the server buffers for a slow client: a replay waits for its client.
    await again.until(upTo(401))
    expect([...got, ...seqs(again)]).toEqual(range(2, 401))
  })

  it('by a server that stops come after the end of its runs', async () => {
    const server = await startServer()
    const { deps, fakes } = server
    const session = await beginSession(deps)
    const door = fakes[0]?.hold('preflight')
    const client = connect(server)
    await client.until(greeted)
    const { runId: id } = await deps.scheduler.start(session, { stepId: 'preflight', params: {}, solve: false })
    await door?.reached
    await server.stop()
    expect(await client.closed).toBe(streamClose.goingAway)
    expect(client.events().at(-1)).toMatchObject({ runId: id, event: { type: 'run.ended', state: 'cancelled' } })
  })
})
