/** Reads recordings of all versions up to the current one, and reports errors with their line. */
import { createHash } from 'node:crypto'
import { LabError } from '@expresslane/shared/wire/errors'
import { recording, RECORDING_VERSION, type Recording } from '@expresslane/shared/recordings/recording'
import { upgradeEvent } from '@expresslane/shared/recordings/upgrade'
import { z } from 'zod'
import { fieldName, firstFault, locate, type Path } from './locate.ts'

const REMEDY = 'Choose a file that Expresslane exported, or correct the file at that line.'
const ISSUES_SHOWN = 5

const head = z.object({ format: z.literal('expresslane-recording'), version: z.number().int().min(1) })

/** The part of version 1 that is read before its events are upgraded. */
const version1 = z.looseObject({
  runs: z.array(z.looseObject({ events: z.array(z.looseObject({ event: z.unknown() })) })),
})

function invalid(message: string, remedy: string, detail?: string): LabError {
  return new LabError('recording_invalid', message, remedy, detail === undefined ? {} : { detail })
}

/** The position of an issue. An unknown key is one level below the object that contains it. */
function pathOf(issue: z.core.$ZodIssue): Path {
  return issue.code === 'unrecognized_keys' ? [...issue.path, ...issue.keys.slice(0, 1)] : issue.path
}

function schemaError(text: string, { issues }: z.ZodError): LabError {
  const shown = issues.slice(0, ISSUES_SHOWN).map((issue) => {
    const path = pathOf(issue)
    const field = path.length === 0 ? '' : `, field ${fieldName(path)}`
    return `Line ${locate(text, path).line}${field}: ${issue.message}.`
  })
  const more = issues.length > ISSUES_SHOWN ? [`${issues.length - ISSUES_SHOWN} more.`] : []
  const [first = '', ...others] = [...shown, ...more]
  return invalid(`This recording can't be read. ${first}`, REMEDY, others.length > 0 ? others.join('\n') : undefined)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    const { line, column, wrong } = firstFault(text)
    throw invalid(`This file is not valid JSON. Line ${line}, column ${column}: ${wrong}.`, REMEDY)
  }
}

function upgrade(raw: unknown): unknown {
  const old = version1.safeParse(raw)
  // The schema then reports the error.
  if (!old.success) return { ...head.loose().parse(raw), version: RECORDING_VERSION }
  const runs = old.data.runs.map((run) => ({
    ...run,
    events: run.events.map((one) => ({ ...one, event: upgradeEvent(one.event) })),
  }))
  return { ...old.data, version: RECORDING_VERSION, runs }
}

/**
 * Reads a recording.
 *
 * @throws LabError `recording_invalid`, whose message names the line and the field
 */
export function readRecording(text: string): Recording {
  const raw = parseJson(text)
  const about = head.safeParse(raw)
  if (!about.success) throw schemaError(text, about.error)
  const { version } = about.data
  if (version > RECORDING_VERSION) {
    const { line } = locate(text, ['version'])
    throw invalid(
      `This recording comes from a newer version of Expresslane. Line ${line}, field version: ${version}, and this version reads up to ${RECORDING_VERSION}.`,
      'Update Expresslane, or export the recording again with this version.',
    )
  }
  const read = recording.safeParse(version < RECORDING_VERSION ? upgrade(raw) : raw)
  if (!read.success) throw schemaError(text, read.error)
  return read.data
}

/** Based on the content: a file has the same id on every server. */
export function recordingId(text: string): string {
  return `imported-${createHash('sha256').update(text).digest('hex').slice(0, 16)}`
}
