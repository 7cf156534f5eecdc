import { epochMs } from '@expresslane/shared/measure/units'
import { runId, type LoggedEvent } from '@expresslane/shared/run/events'
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
