/** Reads stored runs of any length in parts, so that nobody waits for them: the event loop gets a turn after each part. */
import { outputOf } from '@expresslane/shared/report/build'
import type { OutputLines } from '@expresslane/shared/report/model'
import type { LoggedEvent, RunId } from '@expresslane/shared/run/events'
import { createFold, lineOf } from '@expresslane/shared/run/fold'
import type { LogLine, RunState } from '@expresslane/shared/run/run-state'
import type { EventKind, Events } from '../../store/events.ts'
import { letOthers } from '../../workers/turns.ts'

/** Events that are read in one piece. Most take some microseconds, those with a reading of the path up to 0.2 ms. */
export const EVENTS_AT_ONCE = 100
/** Lines that are counted in one piece, which takes some milliseconds. */
export const COUNTED_AT_ONCE = 50_000
/** Beyond the last event. */
const END = Number.MAX_SAFE_INTEGER

/** A run's events in parts. @param upTo the last `seq` */
export async function* eventsOf(
  events: Events,
  id: RunId,
  { kind, upTo = END }: { readonly kind?: EventKind; readonly upTo?: number } = {},
): AsyncGenerator<LoggedEvent[]> {
  for (let after = 0; ;) {
    const found = events.ofRun(id, { ...(kind === undefined ? {} : { kind }), after, upTo, limit: EVENTS_AT_ONCE })
    const last = found.at(-1)
    if (last === undefined) return
    yield found
    if (found.length < EVENTS_AT_ONCE) return
    after = last.seq
    await letOthers()
  }
}

/** How much of the end of a run's output comes with its state. */
export interface OutputTail {
  readonly lines: number
  readonly bytes: number
}

/** With a run on its own. */
export const LONG_TAIL: OutputTail = { lines: 500, bytes: 100_000 }
/** For a reader that reads the output by itself. */
export const NO_TAIL: OutputTail = { lines: 0, bytes: 0 }
/** With each run of a session. */
export const SHORT_TAIL: OutputTail = { lines: 60, bytes: 12_000 }

/** All lines of a run's output up to its state, read in parts while they are used. */
export function storedOutput(
  events: Events,
  { id, lastSeq: upTo, log, logDropped }: Pick<RunState, 'id' | 'lastSeq' | 'log' | 'logDropped'>,
): OutputLines {
  return {
    length: logDropped + log.length,
    *[Symbol.iterator]() {
      for (let after = 0; ;) {
        const found = events.ofRun(id, { kind: 'line', after, upTo, limit: EVENTS_AT_ONCE })
        yield* outputOf(found)
        const last = found.at(-1)
        if (last === undefined) return
        after = last.seq
      }
    },
  }
}

/** The last lines of a run's output before `seq`, oldest first. */
export function linesBefore(events: Events, id: RunId, seq: number, limit: number): LogLine[] {
  return events.linesBefore(id, seq, limit).flatMap((logged) => lineOf(logged) ?? [])
}

/** The number of lines of a run's output before `seq`, counted in parts. */
export async function countLinesBefore(events: Events, id: RunId, seq: number): Promise<number> {
  let lines = 0
  for (let after = 0; ;) {
    const { count, last } = events.countLines(id, after, seq, COUNTED_AT_ONCE)
    lines += count
    if (count < COUNTED_AT_ONCE) return lines
    after = last
    await letOthers()
  }
}

async function tailOf(
  events: Events,
  id: RunId,
  before: number,
  { lines, bytes }: OutputTail,
): Promise<Pick<RunState, 'log' | 'logDropped'>> {
  const found = linesBefore(events, id, before, lines)
  let room = bytes
  const fits = found.toReversed().findIndex(({ text }) => (room -= text.length) < 0)
  const log = fits < 0 ? found : found.slice(found.length - fits)
  return { log, logDropped: await countLinesBefore(events, id, log[0]?.seq ?? before) }
}

/**
 * A run's state, with its samples and the end of its output.
 *
 * @param upTo the last `seq` that it includes
 * @returns null if it does not exist
 */
export async function readRun(events: Events, id: RunId, tail: OutputTail, upTo = END): Promise<RunState | null> {
  const fold = createFold()
  const states: LoggedEvent[] = []
  for await (const part of eventsOf(events, id, { kind: 'state', upTo })) for (const one of part) states.push(one)
  let next = 0
  function addStates(before: number): void {
    for (let one = states[next]; one !== undefined && one.seq < before; one = states[next]) {
      fold.add(one)
      next += 1
    }
  }
  // Samples are many: they go into the fold as they are read.
  for await (const part of eventsOf(events, id, { kind: 'sample', upTo })) {
    for (const sample of part) {
      addStates(sample.seq)
      fold.add(sample)
    }
  }
  addStates(END)
  const state = fold.state()
  if (state === null) return null
  const lastSeq = events.lastOf(id, upTo)
  return { ...state, ...(await tailOf(events, id, lastSeq + 1, tail)), lastSeq }
}
