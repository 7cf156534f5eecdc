/** Writes recordings of stored sessions and runs, of any length, in parts. */
import { LabError } from '@expresslane/shared/base/errors'
import type { LoggedEvent, RunEvent, RunId } from '@expresslane/shared/run/events'
import type { EpochMs } from '@expresslane/shared/base/units'
import { propertiesOf } from '@expresslane/shared/testbed/id'
import type { TestbedFacts } from '@expresslane/shared/testbed/testbed'
import {
  RECORDED_RUNS,
  formatLine,
  recordedFacts,
  RECORDING_BYTES,
  RECORDING_VERSION,
  type RecordedEvent,
  type RecordingHead,
} from '@expresslane/shared/recordings/recording'
import type { FindLab } from '../runs/coordination/busy.ts'
import { eventsOf } from '../runs/log/read-run.ts'
import type { EventKind, Weight } from '../store/events.ts'
import type { Store } from '../store/open.ts'
import type { RunRow } from '../store/runs.ts'
import { spaceFor, untilFull, type Space, type RunWeight } from './space.ts'
import { letOthers } from '../workers/turns.ts'

export interface RecordParts {
  readonly store: Pick<Store, 'events' | 'runs'>
  readonly findLab: FindLab
}

/** A recording that is written while it is read. */
export interface RecordingSource {
  readonly head: RecordingHead
  pieces(): AsyncGenerator<string>
}

/** Events that are weighed in one piece. */
const WEIGHED_AT_ONCE = 20_000
const LEFT_OUT = `The rest of the output is left out, so that this recording is not larger than ${RECORDING_BYTES / 1024 / 1024} MB.`

function notReady(message: string, remedy: string): LabError {
  return new LabError('step_not_ready', message, remedy)
}

function tooLarge(): LabError {
  return notReady(
    `This recording would be larger than ${RECORDING_BYTES / 1024 / 1024} MB, or have more than ${RECORDED_RUNS} runs, and could not be imported.`,
    'Record single runs instead, or export a report.',
  )
}

/** A run that has ended, as its first event has it. */
interface StartedRun {
  readonly id: RunId
  readonly stepId: string
  readonly startedAt: EpochMs
}

/** Null for a run that never started. */
async function started({ store }: RecordParts, { id }: RunRow): Promise<StartedRun | null> {
  for await (const part of eventsOf(store.events, id, { kind: 'state' })) {
    for (const { at, event } of part) {
      if (event.type === 'run.started') return { id, stepId: event.stepId, startedAt: at }
    }
  }
  return null
}

/** The last facts that the runs have read. */
async function factsIn({ store }: RecordParts, runs: readonly RunRow[]): Promise<TestbedFacts | null> {
  for (const { id } of runs.toReversed()) {
    let found: TestbedFacts | null = null
    for await (const part of eventsOf(store.events, id, { kind: 'state' })) {
      for (const { event } of part) if (event.type === 'facts.read') found = event.facts
    }
    if (found !== null) return found
    await letOthers()
  }
  return null
}

async function weightOf({ store }: RecordParts, id: RunId, kind: EventKind): Promise<Weight> {
  const all = { count: 0, bytes: 0 }
  for (let after = 0; ;) {
    const part = store.events.weigh(id, kind, after, WEIGHED_AT_ONCE)
    if (part === null) return all
    all.count += part.count
    all.bytes += part.bytes
    after = part.last
    await letOthers()
  }
}

async function weighed(parts: RecordParts, { id }: StartedRun): Promise<RunWeight> {
  const [state, line, sample] = [
    await weightOf(parts, id, 'state'),
    await weightOf(parts, id, 'line'),
    await weightOf(parts, id, 'sample'),
  ]
  return { state, line, sample }
}

/** Leaves out events that have no space. @returns null for an event to leave out */
function chooser(everySample: number, lines: Weight): (event: RunEvent) => RunEvent | null {
  const hasRoom = untilFull(lines)
  let [isFull, samples] = [false, 0]
  return (event) => {
    // The wait in line depended on other runs on that machine.
    if (event.type === 'run.queued') return null
    if (event.type === 'sample.taken') {
      samples += 1
      return samples % everySample === 0 ? event : null
    }
    if (event.type === 'command.ended') return isFull ? null : event
    if (event.type !== 'command.started' && event.type !== 'command.output') return event
    if (isFull) return null
    isFull = !hasRoom(JSON.stringify(event).length)
    const { commandId } = event
    return isFull ? { type: 'command.output', commandId, stream: 'stderr', text: LEFT_OUT } : event
  }
}

/** The events of a run with their times, as far as they have space. @param began when it started */
async function* recorded(
  parts: AsyncIterable<readonly LoggedEvent[]>,
  choose: (event: RunEvent) => RunEvent | null,
  began: EpochMs,
): AsyncGenerator<RecordedEvent[]> {
  let last = 0
  for await (const part of parts) {
    yield part.flatMap(({ at, event: from }): RecordedEvent[] => {
      const event = choose(from)
      if (event === null) return []
      // The clock can be set back; event times must not decrease.
      last = Math.max(last, at - began)
      return [{ at: last, event }]
    })
  }
}

async function* textOf(
  { store }: RecordParts,
  head: RecordingHead,
  runs: readonly StartedRun[],
  { everySample, lines }: Space,
): AsyncGenerator<string> {
  yield formatLine(head)
  for (const [place, { id, stepId, startedAt }] of runs.entries()) {
    yield formatLine({ run: { stepId, startedAt } })
    const choose = chooser(everySample, lines[place] ?? { bytes: 0, count: 0 })
    for await (const part of recorded(eventsOf(store.events, id), choose, startedAt))
      yield part.map(formatLine).join('')
  }
}

async function record(parts: RecordParts, name: string, rows: readonly RunRow[]): Promise<RecordingSource> {
  const [first] = rows
  if (first === undefined) throw notReady('This session has no runs yet.', 'Run a step, then record.')
  if (propertiesOf(first.testbed).isRecorded) {
    const remedy = 'Share the original recording, which the start page lists.'
    throw notReady('This session replays a recording, so its timing is not the measured one.', remedy)
  }
  const runs: StartedRun[] = []
  for (const row of rows) {
    const run = row.endedAt === null ? null : await started(parts, row)
    if (run !== null) runs.push(run)
  }
  const earlier = parts.store.runs.ofSession(first.sessionId).filter(({ startedAt }) => startedAt <= first.startedAt)
  const facts = recordedFacts.safeParse((await factsIn(parts, rows)) ?? (await factsIn(parts, earlier))).data
  const [begun] = runs
  if (begun === undefined || facts === undefined) {
    throw notReady(
      'No ended run of this session has facts about its testbed.',
      'Run preflight or a measurement in this session, wait until it has ended, and record again.',
    )
  }
  const weights: RunWeight[] = []
  for (const run of runs) weights.push(await weighed(parts, run))
  const space = runs.length > RECORDED_RUNS ? null : spaceFor(weights)
  if (space === null) throw tooLarge()
  const about = { format: 'expresslane-recording', version: RECORDING_VERSION } as const
  const head: RecordingHead = { ...about, name, recordedAt: begun.startedAt, lab: first.labId, facts }
  return { head, pieces: () => textOf(parts, head, runs, space) }
}

/**
 * All ended runs of a session.
 *
 * @param name by default, the lab's title
 * @throws LabError `step_not_ready` if there are none, or if they have no space
 */
export function recordSession(parts: RecordParts, sessionId: string, name?: string): Promise<RecordingSource> {
  const rows = parts.store.runs.ofSession(sessionId)
  const labId = rows[0]?.labId ?? ''
  return record(parts, name ?? parts.findLab(labId)?.title ?? labId, rows)
}

/** Records a single run. @throws LabError `step_not_ready` if it has not ended, or has no space */
export function recordOneRun(parts: RecordParts, row: RunRow): Promise<RecordingSource> {
  const lab = parts.findLab(row.labId)
  const step = lab?.steps.find(({ id }) => id === row.stepId)
  return record(parts, `${lab?.title ?? row.labId}: ${step?.title ?? row.stepId}`, [row])
}

/** A recording's text at once, for a file. */
export async function recordedText({ pieces }: RecordingSource): Promise<string> {
  const texts: string[] = []
  for await (const piece of pieces()) texts.push(piece)
  return texts.join('')
}
