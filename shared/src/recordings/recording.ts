/**
 * A recording: the events of a real session or run, with their times, in a file that any Expresslane can play back. The file is
 * JSON Lines: the head, then for each run a line that begins it and a line for each of its events.
 *
 * @see https://jsonlines.org
 */
import { z } from 'zod'
import { picture } from '../compare/comparison.ts'
import { runEvent } from '../run/events.ts'
import { step } from '../labs/lab.ts'
import { testbedFacts, testbedKind } from '../testbed/testbed.ts'
import { epochMs, type EpochMs } from '../base/units.ts'

/**
 * Increases with each change that an older version can't read: 1 has the events of 0.1, 2 several tools, 3 values by
 * metric, pods by role and settings by id, 4 comparisons that are judged together, 5 JSON Lines instead of one JSON value.
 */
export const RECORDING_VERSION = 5

/** The id of a lab or a step, known to this version or not. It goes into a file’s name and its header. */
const contentId = step.shape.id.max(80)

/** The largest file that is read and written, in bytes. */
export const RECORDING_BYTES = 32 * 1024 * 1024
/** The most runs of a file. */
export const RECORDED_RUNS = 2_000
/** The most events of a run: more than {@link RECORDING_BYTES} have room for. */
export const RECORDED_EVENTS = 400_000

export const recordedEvent = z.strictObject({
  /** Milliseconds since the run's first event. */
  at: z.number().int().nonnegative(),
  event: runEvent,
})
export type RecordedEvent = z.infer<typeof recordedEvent>

/** A fault of an event in the order of its run; `path` is within the event's line. */
interface Misplaced {
  readonly path: string[]
  readonly message: string
}

export interface RunOrder {
  /** Takes the run's events one by one. @returns the faults of each in the order */
  next(recorded: RecordedEvent): Misplaced[]
  /** Whether the run has its end. */
  hasEnded(): boolean
}

/** How a run that has no `run.ended`, or events after it, is refused. */
export const ENDS_ONCE = 'a run ends with its one run.ended'

/** Checks the order of a run's events. */
export function orderOfRun(stepId: string): RunOrder {
  let before: number | null = null
  let ended = false
  return {
    next({ at, event }) {
      const isFirst = before === null
      const wrong: Misplaced[] = []
      if (at < (before ?? 0)) wrong.push({ path: ['at'], message: 'earlier than the event before it' })
      before = at
      const path = ['event', 'type']
      if ((event.type === 'run.started') !== isFirst) {
        wrong.push({ path, message: 'a run begins with its one run.started' })
      }
      if (ended) wrong.push({ path, message: ENDS_ONCE })
      ended ||= event.type === 'run.ended'
      if (event.type === 'run.started' && event.stepId !== stepId) {
        wrong.push({ path: ['event', 'stepId'], message: `not the run's own, ${stepId}` })
      }
      return wrong
    },
    hasEnded: () => ended,
  }
}

/** The start of a run in a file, which the run's events follow: a run of a step, or of `reset`. */
export const recordedRunHead = z.strictObject({ stepId: contentId, startedAt: epochMs })

/** The line that begins a run. Its events follow, from its `run.started` to its `run.ended`. */
export const recordedRunLine = z.strictObject({ run: recordedRunHead })

/** The original environment: a recording of a playback is not possible. */
export const recordedFacts = testbedFacts.extend({ kind: testbedKind.exclude(['recording']) })

/** The first line. */
export const recordingHead = z.strictObject({
  format: z.literal('expresslane-recording'),
  version: z.literal(RECORDING_VERSION),
  name: z.string().trim().min(1).max(120),
  /** When its first run started. */
  recordedAt: epochMs,
  /** The id of the recorded lab. */
  lab: contentId,
  /** The environment of the recording. */
  facts: recordedFacts,
})
export type RecordingHead = z.infer<typeof recordingHead>

/** Any line of a file: the runs are oldest first. */
export const recordingLine = z.union([recordingHead, recordedRunLine, recordedEvent])

/** A whole recording in memory. */
export interface Recording extends RecordingHead {
  readonly runs: readonly (z.infer<typeof recordedRunHead> & { readonly events: readonly RecordedEvent[] })[]
}

/** A line of `GET /api/recordings`. */
export const recordingView = z.strictObject({
  id: z.string(),
  name: z.string(),
  lab: z.string(),
  recordedAt: epochMs,
  /** The recorded testbed, and its kernel. */
  testbed: testbedKind,
  testbedName: z.string(),
  kernel: z.string(),
  /** Runs, and how long they took together at their own pace, in milliseconds. */
  runs: z.number().int().positive(),
  lastsMs: z.number().int().nonnegative(),
  /** The recording came with Expresslane, and can't be removed. */
  shipped: z.boolean(),
  /** Of its last comparison. Null for imported recordings, and for recordings that compare nothing. */
  picture: picture.nullable().default(null),
})
export type RecordingView = z.infer<typeof recordingView>

/** A line of the file. */
export function formatLine(line: z.infer<typeof recordingLine>): string {
  return `${JSON.stringify(line)}\n`
}

/** A short recording as a file at once. */
export function formatRecording({ runs, ...head }: Recording): string {
  return [head, ...runs.flatMap(({ events, ...run }) => [{ run }, ...events])].map(formatLine).join('')
}

/**
 * Reads a file of the current version at once: a file that this project made. The server checks all other files line by
 * line.
 *
 * @throws SyntaxError, ZodError
 */
export function parseRecording(text: string): Recording {
  const [head, ...lines] = text
    .trimEnd()
    .split('\n')
    .map((line): unknown => JSON.parse(line))
  const runs: { stepId: string; startedAt: EpochMs; events: RecordedEvent[] }[] = []
  for (const line of lines) {
    const begun = recordedRunLine.safeParse(line).data
    if (begun === undefined) runs.at(-1)?.events.push(recordedEvent.parse(line))
    else runs.push({ ...begun.run, events: [] })
  }
  return { ...recordingHead.parse(head), runs }
}

/** `GET /api/recordings`: the included recordings, then the imported recordings, newest first. */
export const recordingsResponse = z.strictObject({ recordings: z.array(recordingView) })
