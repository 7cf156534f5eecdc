/**
 * Checks a recording of any version up to the current one, line by line: memory holds one event, and the fifth fault ends
 * it. Errors name line and field.
 */
import {
  recordedRunLine,
  recordingHead,
  RECORDED_RUNS,
  RECORDING_VERSION,
  type RecordedEvent,
  type RecordingHead,
} from '../recording.ts'
import { z } from 'zod'
import { createFaults, invalid, type Faults } from './faults.ts'
import { openLines, type Line } from './lines.ts'
import type { Outline } from './outline.ts'
import { beginRun, type OpenRun } from './run.ts'

/** The facts of a cluster of a thousand nodes have space. */
const HEAD_BYTES = 256 * 1024

/** The part that says whether this version can read the rest. */
const format = z.looseObject({ format: recordingHead.shape.format, version: z.number().int().min(1) })

function beginsRun(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'run' in value
}

/** @throws LabError `recording_invalid`: without its head nothing else can be read */
function readHead(line: Line, faults: Faults): RecordingHead {
  if (line.end - line.start > HEAD_BYTES) throw invalid(`${line.where([])}: larger than ${HEAD_BYTES / 1024} kB.`)
  const value = line.read()
  const about = format.safeParse(value)
  if (!about.success) faults.addIssues(line, about.error)
  faults.end()
  if (about.data !== undefined && about.data.version > RECORDING_VERSION) {
    throw invalid(
      `This recording comes from a newer version of Expresslane. ${line.where(['version'])}: ${about.data.version}, and this version reads up to ${RECORDING_VERSION}.`,
      undefined,
      'Update Expresslane, or export the recording again with this version.',
    )
  }
  const head = recordingHead.safeParse(value)
  if (!head.success) faults.addIssues(line, head.error)
  faults.end()
  if (head.data === undefined) throw new Error('a head that is wrong has no fault')
  return head.data
}

/** Takes each event as it is checked. A file can still have faults. @param run its place in the file, from 0 */
export type EventTaker = (run: number, recorded: RecordedEvent) => void

function check(lines: Iterable<Line>, taker: EventTaker): Outline {
  const faults = createFaults()
  let head: RecordingHead | null = null
  let open: OpenRun | null = null
  const parts: Pick<Outline, 'reading' | 'checks' | 'runs'> = { reading: null, checks: [], runs: [] }

  function close(): void {
    if (open === null) return
    const { run, reading, checks } = open.end()
    parts.runs.push(run)
    parts.reading ??= reading
    if (checks.length > 0) parts.checks = checks
    open = null
  }

  let last: Line | null = null
  for (const line of lines) {
    last = line
    if (head === null) {
      head = readHead(line, faults)
      continue
    }
    const value = line.read()
    if (open !== null && !beginsRun(value)) {
      const taken = open.take(line, value)
      if (taken !== null) taker(parts.runs.length, taken)
      continue
    }
    close()
    const begun = recordedRunLine.safeParse(value)
    if (!begun.success) faults.addIssues(line, begun.error)
    if (parts.runs.length === RECORDED_RUNS) faults.add(line, [], `more than ${RECORDED_RUNS} runs`)
    faults.end()
    if (begun.data !== undefined) open = beginRun(begun.data.run, line, faults)
  }
  close()
  if (parts.runs.length === 0 && last !== null) faults.add(last, [], 'a recording has at least one run')
  faults.end()
  if (head === null) throw new Error('a file has at least one line')
  const { version, name, recordedAt, lab, facts } = head
  return { version, name, recordedAt, lab, facts, ...parts }
}

export interface ReadFile {
  /** The file in the form of the current version. */
  readonly bytes: Uint8Array
  readonly outline: Outline
}

/**
 * Checks a recording, and converts a recording of an earlier version.
 *
 * @throws LabError `recording_invalid`, whose message names the line and the field
 */
export function readRecording(given: Uint8Array, taker: EventTaker = () => undefined): ReadFile {
  const { lines, bytes } = openLines(given)
  const outline = check(lines, taker)
  return { bytes: bytes(), outline }
}
