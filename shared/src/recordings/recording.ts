/** A recording: the events of a real session or run, with their times, in a file that any Expresslane can play back. */
import { z } from 'zod'
import { runEvent } from '../run/events.ts'
import { step } from '../labs/lab.ts'
import { testbedFacts, testbedKind } from '../testbed/testbed.ts'
import { epochMs } from '../measure/units.ts'

/**
 * Increases with each change that an older version can't read: 1 has the events of 0.1, 2 several tools, 3 values by
 * metric, pods by role and settings by id, 4 comparisons that are judged together.
 */
export const RECORDING_VERSION = 4

/** Of a lab or a step, this version’s or not: it goes into a file’s name and its header. */
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

/** What is wrong with an event's place in its run; `path` is within the event. */
interface Misplaced {
  readonly path: string[]
  readonly message: string
}

/**
 * Checks the order of a run's events.
 *
 * @returns takes the events one by one, and returns what is wrong with each
 */
export function orderOfRun(stepId: string): (recorded: RecordedEvent, isLast: boolean) => Misplaced[] {
  let before: number | null = null
  return ({ at, event }, isLast) => {
    const isFirst = before === null
    const wrong: Misplaced[] = []
    if (at < (before ?? 0)) wrong.push({ path: ['at'], message: 'earlier than the event before it' })
    before = at
    const path = ['event', 'type']
    if ((event.type === 'run.started') !== isFirst) {
      wrong.push({ path, message: 'a run begins with its one run.started' })
    }
    if ((event.type === 'run.ended') !== isLast) wrong.push({ path, message: 'a run ends with its one run.ended' })
    if (event.type === 'run.started' && event.stepId !== stepId) {
      wrong.push({ path: ['event', 'stepId'], message: `not the run's own, ${stepId}` })
    }
    return wrong
  }
}

/** What a run has beside its events. */
export const recordedRunHead = z.strictObject({ stepId: contentId, startedAt: epochMs })

/** One run of a step (or of `reset`), from its `run.started` to its `run.ended`. */
export const recordedRun = z
  .strictObject({ ...recordedRunHead.shape, events: z.array(recordedEvent).min(2).max(RECORDED_EVENTS) })
  .superRefine(({ stepId, events }, context) => {
    const misplaced = orderOfRun(stepId)
    for (const [index, one] of events.entries()) {
      for (const { path, message } of misplaced(one, index === events.length - 1)) {
        context.addIssue({ code: 'custom', path: ['events', index, ...path], message })
      }
    }
  })
export type RecordedRun = z.infer<typeof recordedRun>

/** The original environment: a recording of a playback is not possible. */
export const recordedFacts = testbedFacts.extend({ kind: testbedKind.exclude(['recording']) })

export const recording = z.strictObject({
  format: z.literal('expresslane-recording'),
  version: z.literal(RECORDING_VERSION),
  name: z.string().trim().min(1).max(120),
  /** When its first run started. */
  recordedAt: epochMs,
  /** The id of the recorded lab. */
  lab: contentId,
  /** The environment of the recording. */
  facts: recordedFacts,
  /** Oldest first. */
  runs: z.array(recordedRun).min(1).max(RECORDED_RUNS),
})
export type Recording = z.infer<typeof recording>

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
  /** It came with Expresslane, and can't be removed. */
  shipped: z.boolean(),
})
export type RecordingView = z.infer<typeof recordingView>

/** A recording without its runs. */
export type RecordingHead = Omit<Recording, 'runs'>
type RunHead = z.infer<typeof recordedRunHead>

const fieldsOf = (of: object, indent: string): string =>
  Object.entries(of)
    .map(([key, value]) => `${indent}${JSON.stringify(key)}: ${JSON.stringify(value)},\n`)
    .join('')

/**
 * A recording as text, part by part: one line per event, so that an error's line number identifies the event. Each run
 * begins with `run`, and has at least one `event`; the `end` comes once.
 */
export const recordingText = {
  head: (of: RecordingHead): string => `{\n${fieldsOf(of, '  ')}  "runs": [\n`,
  run: (of: RunHead, isFirst: boolean): string =>
    `${isFirst ? '' : ',\n'}    {\n${fieldsOf(of, '      ')}      "events": [\n`,
  event: (of: RecordedEvent, isFirst: boolean): string => `${isFirst ? '' : ',\n'}        ${JSON.stringify(of)}`,
  endOfRun: '\n      ]\n    }',
  end: '\n  ]\n}\n',
}

/** {@link recordingText} of a short recording at once. */
export function formatRecording({ runs, ...head }: Recording): string {
  const { run, event, endOfRun, end } = recordingText
  const texts = runs.map(({ events, ...of }, place) => {
    const lines = events.map((one, index) => event(one, index === 0)).join('')
    return run(of, place === 0) + lines + endOfRun
  })
  return recordingText.head(head) + texts.join('') + end
}

/** `GET /api/recordings`: the included recordings, then the imported ones, newest first. */
export const recordingsResponse = z.strictObject({ recordings: z.array(recordingView) })
export type RecordingsResponse = z.infer<typeof recordingsResponse>
