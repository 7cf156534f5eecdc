import { epochMs } from '@expresslane/shared/base/units'
import { runId, type LoggedEvent } from '@expresslane/shared/run/events'
import { streamFrame } from '@expresslane/shared/wire/stream'
import { describe, expect, it } from 'vitest'
import { BEAT_MS, createBatches, MEASURING_BEAT_MS } from '../../src/stream/batches.ts'
import { encodeEvents, encodeFrame } from '../../src/stream/encode.ts'
import { testClock } from '../support/clock.ts'

const event = (seq: number): LoggedEvent => ({
  seq,
  runId: runId.parse('r_00000001'),
  at: epochMs.parse(1_700_000_000_000 + seq),
  event: { type: 'progress', subject: null, message: 'going', done: seq, total: 100 },
})

function receiver() {
  const batches: number[][] = []
  const data: Buffer[] = []
  return {
    batches,
    data,
    send(encoded: Buffer, events: readonly LoggedEvent[]): void {
      batches.push(events.map(({ seq }) => seq))
      data.push(encoded)
    },
  }
}

describe('batches', () => {
  it('sends the first event at once and later ones together, at most one batch per beat', () => {
    const clock = testClock()
    const batches = createBatches(clock, () => false)
    const one = receiver()
    batches.join(one.send)
    for (const seq of [1, 2, 3]) batches.add(event(seq))
    expect(one.batches).toEqual([[1]])
    clock.advance(BEAT_MS)
    expect(one.batches).toEqual([[1], [2, 3]])
    clock.advance(BEAT_MS)
    batches.add(event(4))
    expect(one.batches).toEqual([[1], [2, 3], [4]])
  })

  it('sends less often while this machine measures', () => {
    const clock = testClock()
    const batches = createBatches(clock, () => true)
    const one = receiver()
    batches.join(one.send)
    batches.add(event(1))
    batches.add(event(2))
    clock.advance(MEASURING_BEAT_MS - 1)
    expect(one.batches).toEqual([[1]])
    clock.advance(1)
    expect(one.batches).toEqual([[1], [2]])
  })

  it('encodes a batch once for all receivers', () => {
    const batches = createBatches(testClock(), () => false)
    const [one, other] = [receiver(), receiver()]
    batches.join(one.send)
    batches.join(other.send)
    batches.add(event(1))
    expect(one.data[0]).toBe(other.data[0])
  })

  it('sends a new receiver only later events', () => {
    const clock = testClock()
    const batches = createBatches(clock, () => false)
    const [one, late] = [receiver(), receiver()]
    batches.join(one.send)
    batches.add(event(1))
    batches.add(event(2))
    batches.join(late.send)
    batches.add(event(3))
    clock.advance(BEAT_MS)
    expect(one.batches).toEqual([[1], [2], [3]])
    expect(late.batches).toEqual([[3]])
  })

  it('sends nothing to a receiver that left, and keeps no events while there is none', () => {
    const clock = testClock()
    const batches = createBatches(clock, () => false)
    const one = receiver()
    const leave = batches.join(one.send)
    leave()
    batches.add(event(1))
    clock.advance(BEAT_MS)
    const next = receiver()
    batches.join(next.send)
    expect([...one.batches, ...next.batches]).toEqual([])
  })

  it('waits at most one beat if the clock was set back', () => {
    const clock = testClock()
    let back = 0
    const batches = createBatches({ ...clock, now: () => epochMs.parse(clock.now() - back) }, () => false)
    const one = receiver()
    batches.join(one.send)
    batches.add(event(1))
    back = 3_600_000
    batches.add(event(2))
    clock.advance(BEAT_MS)
    expect(one.batches).toEqual([[1], [2]])
  })
})

describe('encoding', () => {
  it('returns the frame that a client parses', () => {
    const events = [event(1), event(2)]
    expect(streamFrame.parse(JSON.parse(encodeEvents(events).toString()))).toEqual({ type: 'events', events })
    const hello = { type: 'hello', seq: 3, boot: 'b', version: '1' } as const
    expect(streamFrame.parse(JSON.parse(encodeFrame(hello).toString()))).toEqual(hello)
  })

  it('encodes the same frame object once', () => {
    const frame = { type: 'labs', revision: 1 } as const
    expect(encodeFrame(frame)).toBe(encodeFrame(frame))
  })
})
