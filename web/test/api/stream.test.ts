import type { LoggedEvent } from '@expresslane/shared/run/events'
import fc from 'fast-check'
import { BEAT_MS, streamClose } from '@expresslane/shared/wire/stream'
import { describe, expect, it, vi } from 'vitest'
import { createStream, reconnectDelay, type Connection, type StreamSink } from '../../src/api/stream.ts'
import { fakeNetwork, hello } from './fake-network.ts'
import { logged, repeatStarted, sample, started } from '@expresslane/shared/test/builders'

function recorder() {
  const seen: LoggedEvent[] = []
  const connections: Connection[] = []
  const reboots: boolean[] = []
  const sink: StreamSink = {
    connection: (now) => connections.push(now),
    events: (events) => seen.push(...events),
    news: () => undefined,
    heard: () => undefined,
    rebooted: (logLost) => reboots.push(logLost),
  }
  return { sink, connections, reboots, seqs: () => seen.map(({ seq }) => seq) }
}

const log = logged([started(), repeatStarted(), ...Array.from({ length: 40 }, (_, n) => sample(n / 4, 100 + n))])

describe('createStream', () => {
  it('begins with what happens next and resumes after the last event it got', () => {
    const network = fakeNetwork()
    const { sink, seqs, connections } = recorder()
    createStream(network, sink).start()
    network.line().send(hello(1))
    network.line().events(log.slice(1, 5))
    network.line().breakOff()
    network.pass()
    network.line().send(hello(8))
    network.line().events(log.slice(5, 8))
    expect(network.lines.map(({ after }) => after)).toEqual([null, 5])
    expect(seqs()).toEqual([2, 3, 4, 5, 6, 7, 8])
    expect(connections).toEqual(['live', 'reconnecting', 'live'])
  })

  it('passes on each event once and in order, however frames overlap', () => {
    const network = fakeNetwork()
    const { sink, seqs } = recorder()
    createStream(network, sink).start()
    network.line().send(hello(1))
    network.line().events(log.slice(1, 4).toReversed())
    network.line().events(log.slice(2, 6))
    network.line().events(log.slice(1, 2))
    expect(seqs()).toEqual([2, 3, 4, 5, 6])
  })

  it('loses and doubles nothing over any disconnects', () => {
    const cuts = fc.array(fc.record({ upTo: fc.integer({ min: 1, max: log.length }), overlap: fc.nat({ max: 3 }) }))
    fc.assert(
      fc.property(cuts, (breaks) => {
        const network = fakeNetwork()
        const { sink, seqs } = recorder()
        createStream(network, sink).start()
        network.line().send(hello(0))
        for (const { upTo, overlap } of [...breaks, { upTo: log.length, overlap: 0 }]) {
          const from = Math.max(0, (network.line().after ?? 0) - overlap)
          if (upTo > from) network.line().events(log.slice(from, upTo))
          network.line().breakOff()
          network.pass()
          network.line().send(hello(log.length))
        }
        network.line().events(log)
        expect(seqs()).toEqual(log.map(({ seq }) => seq))
      }),
    )
  })

  it('asks again from where a page needs it', () => {
    const network = fakeNetwork()
    const { sink, seqs } = recorder()
    const stream = createStream(network, sink)
    stream.start()
    network.line().send(hello(10))
    stream.rewind(10)
    expect(network.lines).toHaveLength(1)
    stream.rewind(4)
    expect(network.lines.map(({ after, open }) => [after, open])).toEqual([
      [null, false],
      [4, true],
    ])
    network.line().send(hello(10))
    network.line().events(log.slice(4, 10))
    expect(seqs()).toEqual([5, 6, 7, 8, 9, 10])
  })

  it('asks from there at once when the first greeting is still to come', () => {
    const network = fakeNetwork()
    const stream = createStream(network, recorder().sink)
    stream.start()
    stream.rewind(7)
    expect(network.line().after).toBe(7)
  })

  it('reports a new server process, and a new log', () => {
    const network = fakeNetwork()
    const { sink, reboots, seqs } = recorder()
    createStream(network, sink).start()
    network.line().send(hello(30))
    network.line().breakOff()
    network.pass()
    network.line().send(hello(30, 'two'))
    network.line().breakOff()
    network.pass()
    network.line().send(hello(2, 'three'))
    network.line().events(log.slice(2, 4))
    expect(reboots).toEqual([false, true])
    expect(seqs()).toEqual([3, 4])
  })

  it('waits longer after each vain try, says offline, and tries at once when woken', () => {
    const network = fakeNetwork()
    const { sink, connections } = recorder()
    const stream = createStream(network, sink)
    stream.start()
    const delays: number[] = []
    for (let tries = 0; tries < 6; tries += 1) {
      network.line().breakOff()
      delays.push(...network.waiting)
      network.pass()
    }
    expect(delays).toEqual([1, 2, 3, 4, 5, 6].map(reconnectDelay))
    expect(connections.at(-1)).toBe('offline')
    network.line().breakOff()
    stream.wake()
    expect(network.waiting).toEqual([])
    network.line().send(hello(1))
    expect(connections.at(-1)).toBe('live')
  })

  it('stops at a frame that it can not read instead of losing it', () => {
    const network = fakeNetwork()
    const { sink, connections } = recorder()
    createStream(network, sink).start()
    network.line().send(hello(1))
    network.line().sendRaw('{"type":"from tomorrow"}')
    expect(connections).toEqual(['live', 'outdated'])
    expect(network.line().open).toBe(false)
  })

  it('ends when access is taken back', () => {
    const network = fakeNetwork()
    const { sink, connections } = recorder()
    const stream = createStream(network, sink)
    stream.start()
    network.line().send(hello(1))
    network.line().breakOff(streamClose.revoked)
    stream.wake()
    stream.doubt()
    stream.rewind(0)
    expect(connections).toEqual(['live', 'revoked'])
    expect(network.lines).toHaveLength(1)
    expect(network.waiting).toEqual([])
  })

  it('ends when the server refuses to take it back after a break', async () => {
    const network = fakeNetwork()
    const { sink, connections } = recorder()
    createStream(network, sink).start()
    network.line().send(hello(1))
    network.allowed = false
    network.line().breakOff()
    expect(connections.at(-1)).toBe('reconnecting')
    network.pass()
    network.line().breakOff()
    await vi.waitFor(() => expect(connections.at(-1)).toBe('revoked'), { timeout: 60_000 })
    expect(network.waiting).toEqual([])
  })

  it('connects again when the server is silent for too long', () => {
    const network = fakeNetwork()
    const { sink, connections } = recorder()
    createStream(network, sink).start()
    network.line().send(hello(7))
    network.line().send({ type: 'beat' })
    network.line().send({ type: 'beat' })
    expect(network.waiting).toEqual([1.5 * BEAT_MS])
    network.pass()
    expect(connections).toEqual(['live', 'reconnecting'])
    expect(network.line().after).toBe(7)
    network.line().send(hello(7))
    expect(connections.at(-1)).toBe('live')
  })

  it('connects again when the browser loses its network, and stays live where the server is still there', () => {
    const network = fakeNetwork()
    const { sink, connections } = recorder()
    const stream = createStream(network, sink)
    stream.start()
    network.line().send(hello(3))
    stream.doubt()
    expect(network.lines.map(({ open }) => open)).toEqual([false, true])
    network.line().send(hello(3))
    expect(connections).toEqual(['live', 'reconnecting', 'live'])
  })
})
