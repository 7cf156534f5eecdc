import { epochMs } from '@expresslane/shared/base/units'
import { runId, type LoggedEvent } from '@expresslane/shared/run/events'
import { streamFrame } from '@expresslane/shared/wire/stream'
import { expect, it, onTestFinished } from 'vitest'
import { CHUNK, replay, type Replayed } from '../../src/stream/replay.ts'
import { countTurns } from '../support/turns.ts'

function stored(count: number): LoggedEvent[] {
  return Array.from({ length: count }, (_, index) => ({
    seq: index + 1,
    runId: runId.parse('r_00000001'),
    at: epochMs.parse(0),
    event: { type: 'progress', subject: null, message: 'going', done: index, total: count },
  }))
}

function from(events: readonly LoggedEvent[]): Pick<Replayed, 'since' | 'isOpen'> {
  return {
    since: (seq, limit) => events.filter((one) => one.seq > seq).slice(0, limit),
    isOpen: () => true,
  }
}

it('gives others a turn after each chunk, also to a client that takes all at once', async () => {
  const turns = countTurns()
  onTestFinished(() => turns.stop())
  const sent: number[] = []
  const send = async (events: readonly LoggedEvent[]): Promise<void> => void sent.push(...events.map(({ seq }) => seq))
  let last = 0
  await replay(3, { ...from(stored(10 * CHUNK + 3)), send }, (seq) => (last = seq))
  expect(sent).toEqual(Array.from({ length: 10 * CHUNK }, (_, index) => index + 4))
  expect(last).toBe(10 * CHUNK + 3)
  expect(turns.count()).toBeGreaterThanOrEqual(10)
})

it('ends in the turn that found no more events', async () => {
  const events = stored(2)
  const seen: string[] = []
  const { since, isOpen } = from(events)
  const asked = (seq: number, limit: number): LoggedEvent[] => {
    const found = since(seq, limit)
    // Microtasks that others have waiting must not come in between.
    if (found.length === 0) queueMicrotask(() => seen.push('others'))
    return found
  }
  await replay(0, { since: asked, isOpen, send: async () => {} }, (seq) => seen.push(`ended at ${seq}`))
  expect(seen).toEqual(['ended at 2', 'others'])
})

function eventsOf(frame: Buffer): readonly LoggedEvent[] {
  const parsed = streamFrame.parse(JSON.parse(frame.toString()))
  return parsed.type === 'events' ? parsed.events : []
}

it('encodes all chunks in the same memory: a long history leaves no thousands of buffers', async () => {
  const events = stored(10 * CHUNK)
  const memory = new Set<unknown>()
  const sent: LoggedEvent[] = []
  const send: Replayed['send'] = async (chunk, encode) => {
    const data = encode(chunk)
    memory.add(data.buffer)
    sent.push(...eventsOf(data))
  }
  await replay(0, { ...from(events), send }, () => {})
  expect(sent).toEqual(events)
  expect(memory.size).toBe(1)
})

it('encodes a chunk that is larger than those before', async () => {
  const events = stored(3 * CHUNK).map((one): LoggedEvent => {
    const message = one.seq > 2 * CHUNK ? 'ü'.repeat(10_000) : 'going'
    return { ...one, event: { type: 'progress', subject: null, message, done: 0, total: 1 } }
  })
  const sent: LoggedEvent[] = []
  const send: Replayed['send'] = async (chunk, encode) => void sent.push(...eventsOf(encode(chunk)))
  await replay(0, { ...from(events), send }, () => {})
  expect(sent).toEqual(events)
})
