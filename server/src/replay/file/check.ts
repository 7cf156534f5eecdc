/**
 * Checks a recording of any version up to the current one, item by item: memory holds one event, and the fifth fault ends
 * it. Errors name line and field.
 */
import { createHash } from 'node:crypto'
import { recording, RECORDED_RUNS, RECORDING_VERSION } from '@expresslane/shared/recordings/recording'
import { z } from 'zod'
import {
  isArrayAt,
  isObjectAt,
  itemsOf,
  lineAt,
  measureValue,
  parseValue,
  skipBlank,
  textOf,
  type Extent,
  type Measured,
} from './extents.ts'
import { createFaults, invalid } from './faults.ts'
import { firstFault } from './locate.ts'
import { FIELD_BYTES, parseMembers, readMembers, type Members } from './members.ts'
import type { Outline } from './outline.ts'
import { checkRun } from './run.ts'

/** The part that says whether this version can read the rest. */
const format = z.looseObject({ format: recording.shape.format, version: z.number().int().min(1) })
/** Everything but the runs, which are read one by one. */
const head = recording.extend({ runs: z.array(z.unknown()), version: z.number() })

/** The one value of the file. @throws SyntaxError */
function wholeOf(bytes: Uint8Array): Measured {
  const whole = measureValue(bytes, skipBlank(bytes, 0))
  if (skipBlank(bytes, whole.end) < bytes.length) throw new SyntaxError('something follows the value')
  return whole
}

function requireKnown(version: number, bytes: Uint8Array, place: Extent): void {
  if (version <= RECORDING_VERSION) return
  const line = lineAt(bytes, place.start)
  throw invalid(
    `This recording comes from a newer version of Expresslane. Line ${line}, field version: ${version}, and this version reads up to ${RECORDING_VERSION}.`,
    undefined,
    'Update Expresslane, or export the recording again with this version.',
  )
}

function check(bytes: Uint8Array): Outline {
  const faults = createFaults(bytes)
  const whole = wholeOf(bytes)
  const isObject = isObjectAt(bytes, whole.start)
  const members: Members = isObject ? readMembers(bytes, whole, [], faults) : new Map()
  const values = isObject ? parseMembers(bytes, members, 'runs', [], faults) : parseSmall(bytes, whole)

  const about = format.safeParse(values)
  if (!about.success) faults.addMemberIssues(whole, members, [], about.error)
  faults.end()
  const version = about.data?.version ?? RECORDING_VERSION
  requireKnown(version, bytes, members.get('version') ?? whole)

  const read = head.safeParse(values)
  if (!read.success) faults.addMemberIssues(whole, members, [], read.error)
  const parts: Pick<Outline, 'reading' | 'checks' | 'runs'> = { reading: null, checks: [], runs: [] }
  const list = members.get('runs')
  if (list !== undefined && isArrayAt(bytes, list.start)) {
    for (const item of itemsOf(bytes, list.start)) {
      const path = ['runs', parts.runs.length]
      if (parts.runs.length === RECORDED_RUNS) {
        faults.add(item, path, `more than ${RECORDED_RUNS} runs`)
        break
      }
      const { run, reading, checks } = checkRun(bytes, item, path, version, faults)
      parts.runs.push(run)
      parts.reading ??= reading
      if (checks.length > 0) parts.checks = checks
    }
    if (parts.runs.length === 0) faults.add(list, ['runs'], 'a recording has at least one run')
  }
  faults.end()
  if (read.data === undefined) throw new Error('a recording that is wrong has no fault')
  const { name, recordedAt, lab, facts } = read.data
  return { version, name, recordedAt, lab, facts, ...parts }
}

/** What the file is if it is no object. @throws SyntaxError */
function parseSmall(bytes: Uint8Array, whole: Measured): unknown {
  return whole.end - whole.start > FIELD_BYTES ? [] : parseValue(bytes, whole)
}

/**
 * Checks a recording.
 *
 * @throws LabError `recording_invalid`, whose message names the line and the field
 */
export function checkRecording(bytes: Uint8Array): Outline {
  try {
    return check(bytes)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    const { line, column, wrong } = firstFault(textOf(bytes, { start: 0, end: bytes.length }))
    throw invalid(`This file is not valid JSON. Line ${line}, column ${column}: ${wrong}.`)
  }
}

/** Based on the content: a file has the same id on every server. */
export function recordingId(bytes: Uint8Array): string {
  return `imported-${createHash('sha256').update(bytes).digest('hex').slice(0, 16)}`
}
