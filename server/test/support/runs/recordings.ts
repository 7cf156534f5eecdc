/** Hand-written recordings for tests, so that the time of each event is known. */
import { sessionId, type EndState, type RunEvent } from '@expresslane/shared/run/events'
import { LabError, type Problem } from '@expresslane/shared/base/errors'
import {
  formatRecording,
  parseRecording,
  recordedEvent,
  recordedRunHead,
  recordingHead,
  RECORDING_VERSION,
  type Recording,
} from '@expresslane/shared/recordings/recording'
import { z } from 'zod'
import { readRecording } from '@expresslane/shared/recordings/file/check'
import { eventsIn, type RecordedFile } from '@expresslane/shared/recordings/file/events'

const RECORDED_AT = Date.UTC(2026, 10, 21, 9)

export const progress = (message: string): RunEvent => ({ type: 'progress', subject: null, message, done: 1, total: 2 })

interface Ended {
  readonly state?: EndState
  readonly problem?: Problem | null
}

/** @param events the events between start and end, each with its time */
export function aRun(
  stepId: string,
  events: readonly (readonly [at: number, event: RunEvent])[],
  { state = 'completed', problem = null }: Ended = {},
): object {
  const started = {
    type: 'run.started',
    sessionId: sessionId.parse('s_00000001'),
    labId: 'big-tcp-ipv4',
    stepId,
    testbed: 'netns',
    incarnation: 'netns-1',
    params: {},
    solveTo: null,
  }
  const end = { type: 'run.ended', state, problem }
  const all = [[0, started], ...events, [events.at(-1)?.[0] ?? 0, end]]
  return { stepId, startedAt: RECORDED_AT, events: all.map(([at, event]) => ({ at, event })) }
}

const recorded = recordingHead.extend({
  runs: z.array(recordedRunHead.extend({ events: z.array(recordedEvent) })),
})

export function aRecording(runs: readonly object[], over: object = {}): Recording {
  return recorded.parse({
    format: 'expresslane-recording',
    version: RECORDING_VERSION,
    name: 'By hand',
    recordedAt: RECORDED_AT,
    lab: 'big-tcp-ipv4',
    facts: {
      kind: 'netns',
      name: 'this machine',
      incarnation: 'netns-1',
      kernel: '6.18.0',
      os: 'none',
      cpu: { model: 'none', count: 2, governor: null },
      load: 0.5,
      nodes: ['node1', 'node2'],
      versions: { netperf: '2.7.0' },
    },
    runs,
    ...over,
  })
}

/** A file that is opened. @throws LabError `recording_invalid` */
export function openFile(text: string): RecordedFile {
  const { bytes, outline } = readRecording(Buffer.from(text))
  return { outline, size: bytes.length, read: (from, to) => Buffer.from(bytes.subarray(from, to)) }
}

/** Why a file is refused. */
export function refusal(text: string): LabError {
  try {
    readRecording(Buffer.from(text))
  } catch (error) {
    if (error instanceof LabError) return error
    throw error
  }
  throw new Error('it was read')
}

/** A recording as the file that a replay reads. */
export function fileOf(of: Recording): RecordedFile {
  return openFile(formatRecording(of))
}

/** All events of a file. @throws LabError `recording_invalid` */
export function runsIn(text: string): Recording['runs'][number][] {
  const file = openFile(text)
  return file.outline.runs.map(({ stepId, startedAt, pieces }) => {
    return { ...recordedRunHead.parse({ stepId, startedAt }), events: pieces.flatMap((piece) => eventsIn(file, piece)) }
  })
}

/** The body of an export. */
export const recordingFile = z.string().transform(parseRecording)
