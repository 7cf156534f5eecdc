/** Playing back what came all at once. */
import type { RunEvent } from '@expresslane/shared/run/events'
import { recordedRun } from '@expresslane/shared/recordings/recording'
import { thisMachine } from '@expresslane/shared/testbed/id'
import { expect, it } from 'vitest'
import { playRun, type Timer } from '../../src/replay/play.ts'

const started: RunEvent = {
  type: 'run.started',
  sessionId: 's_00000001',
  labId: 'big-tcp-ipv4',
  stepId: 'baseline',
  testbed: thisMachine,
  incarnation: 'one',
  params: {},
  solveTo: null,
}
const lines = Array.from({ length: 2_000 }, (_, line): RunEvent => ({
  type: 'command.output',
  commandId: 1,
  stream: 'stdout',
  text: `line ${line}`,
}))
const run = recordedRun.parse({
  stepId: 'baseline',
  startedAt: 1,
  events: [started, ...lines, { type: 'run.ended', state: 'completed', problem: null }].map((event) => ({
    at: 0,
    event,
  })),
})

/** Nothing lies between these events, so nobody waits. */
const never: Timer = { after: () => () => {} }

it('emits all events, in order', async () => {
  const emitted: RunEvent[] = []
  await playRun(run, 1, never, { signal: new AbortController().signal, emit: (event) => emitted.push(event) })
  expect(emitted).toEqual(lines)
})

it('notices a cancel in between', async () => {
  const cancelling = new AbortController()
  let emitted = 0
  const playing = playRun(run, 1, never, { signal: cancelling.signal, emit: () => (emitted += 1) })
  setImmediate(() => cancelling.abort(new Error('cancelled')))
  await expect(playing).rejects.toThrow('cancelled')
  expect(emitted).toBeLessThan(lines.length)
})
