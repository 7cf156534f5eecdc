/** Collects the faults of a recording, up to the number that a person is shown. */
import { LabError } from '../../base/errors.ts'
import type { z } from 'zod'

const REMEDY = 'Choose a file that Expresslane exported, or correct the file at that line.'
const MOST = 5
/** An issue can quote the file: the names of ten thousand unknown fields. */
const MESSAGE_LENGTH = 200

/** The path of a field in the value of a line. */
export type Path = readonly PropertyKey[]

/** Something that can be named to a person: a line of the file. */
export interface Placed {
  /** Names the line, and a field in it: `Line 7, field event.at`. */
  where(field: Path): string
}

/** `facts.cpu.count`, `event.rows[3].better` */
export function fieldName(path: Path): string {
  const name = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('')
  return name.replace(/^\./, '')
}

export function invalid(message: string, detail?: string, remedy = REMEDY): LabError {
  return new LabError('recording_invalid', message, remedy, detail === undefined ? {} : { detail })
}

/** The position of an issue. An unknown key is one level below the object that contains it. */
function pathOf(issue: z.core.$ZodIssue): Path {
  return issue.code === 'unrecognized_keys' ? [...issue.path, ...issue.keys.slice(0, 1)] : issue.path
}

export interface Faults {
  /** Notes a fault of a field of a line. @throws LabError `recording_invalid` with the fifth */
  add(line: Placed, field: Path, message: string): void
  /** Notes each issue of a line's value. */
  addIssues(line: Placed, error: z.ZodError): void
  /** @throws LabError `recording_invalid` if there are any */
  end(): void
}

export function createFaults(): Faults {
  const found: string[] = []

  function refuse(): never {
    const [first = '', ...others] = found
    throw invalid(`This recording can't be read. ${first}`, others.length > 0 ? others.join('\n') : undefined)
  }

  function add(line: Placed, field: Path, message: string): void {
    const words = message.length > MESSAGE_LENGTH ? `${message.slice(0, MESSAGE_LENGTH)}…` : message
    found.push(`${line.where(field)}: ${words}.`)
    if (found.length < MOST) return
    found.push('The rest was not read.')
    refuse()
  }

  return {
    add,
    addIssues(line, { issues }) {
      for (const issue of issues) add(line, pathOf(issue), issue.message)
    },
    end() {
      if (found.length > 0) refuse()
    },
  }
}
