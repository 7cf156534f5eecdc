/** Playing back what came all at once. */
import type { RunEvent } from '@expresslane/shared/run/events'
import { expect, it } from 'vitest'
import type { RecordedFile } from '@expresslane/shared/recordings/file/events'
import { playRun, type Timer } from '../../src/replay/play.ts'
import { aRecording, aRun, fileOf } from '../support/runs/recordings.ts'

const lines = Array.from({ length: 2_000 }, (_, line): RunEvent => ({
  type: 'command.output',
  commandId: 1,
  stream: 'stdout',
  text: `line ${line}`,
}))
const file = fileOf(
  aRecording([
    aRun(
      'baseline',
      lines.map((line) => [0, line] as const),
    ),
  ]),
)
const [run] = file.outline.runs
if (run === undefined) throw new Error('no run')

/** No time lies between these events, so the timer never fires. */
const never: Timer = { after: () => () => {} }

it('emits all events, in order', async () => {
  const emitted: RunEvent[] = []
  await playRun(file, run, 1, never, {
    signal: new AbortController().signal,
    emitAll: (events) => emitted.push(...events),
  })
  expect(emitted).toEqual(lines)
})

it('notices a cancel in between', async () => {
  const cancelling = new AbortController()
  let emitted = 0
  const playing = playRun(file, run, 1, never, {
    signal: cancelling.signal,
    emitAll: ({ length }) => (emitted += length),
  })
  setImmediate(() => cancelling.abort(new Error('cancelled')))
  await expect(playing).rejects.toThrow('cancelled')
  expect(emitted).toBeLessThan(lines.length)
})

it('reads each byte of the run once, a piece at a time', async () => {
  const [from, to] = [run.pieces[0]?.[0] ?? 0, run.pieces.at(-1)?.[1] ?? 0]
  const reads: number[] = []
  const watched: RecordedFile = {
    ...file,
    read(start, end) {
      reads.push(end - start)
      return file.read(start, end)
    },
  }
  await playRun(watched, run, 1, never, { signal: new AbortController().signal, emitAll: () => {} })
  expect(reads).toHaveLength(run.pieces.length)
  expect(Math.max(...reads)).toBeLessThanOrEqual(64 * 1024)
  expect(reads.reduce((sum, length) => sum + length, 0)).toBeLessThanOrEqual(to - from)
})
