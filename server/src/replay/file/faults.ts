/** Collects what is wrong with a recording, up to the number that a person is shown. */
import { LabError } from '@expresslane/shared/wire/errors'
import type { z } from 'zod'
import { lineAt, textOf, type Extent, type Member } from './extents.ts'
import { fieldName, locate, type Path } from './locate.ts'

const REMEDY = 'Choose a file that Expresslane exported, or correct the file at that line.'
const MOST = 5
/** An issue can quote the file: the names of ten thousand unknown fields. */
const MESSAGE_LENGTH = 200

export function invalid(message: string, detail?: string, remedy = REMEDY): LabError {
  return new LabError('recording_invalid', message, remedy, detail === undefined ? {} : { detail })
}

/** The position of an issue. An unknown key is one level below the object that contains it. */
function pathOf(issue: z.core.$ZodIssue): Path {
  return issue.code === 'unrecognized_keys' ? [...issue.path, ...issue.keys.slice(0, 1)] : issue.path
}

export interface Faults {
  /** Notes a fault of the value at `path`, or of what is `inside` it. @throws LabError `recording_invalid` with the fifth */
  add(extent: Extent, path: Path, message: string, inside?: Path): void
  /** Notes each issue of the value at `path`; the paths of the issues are within it. */
  addIssues(extent: Extent, path: Path, error: z.ZodError): void
  /** The same for an object of which only some members were read. */
  addMemberIssues(object: Extent, members: ReadonlyMap<string, Member>, path: Path, error: z.ZodError): void
  /** @throws LabError `recording_invalid` if there are any */
  end(): void
}

export function createFaults(bytes: Uint8Array): Faults {
  const found: string[] = []

  function refuse(): never {
    const [first = '', ...others] = found
    throw invalid(`This recording can't be read. ${first}`, others.length > 0 ? others.join('\n') : undefined)
  }

  function note(line: number, path: Path, message: string): void {
    const field = path.length === 0 ? '' : `, field ${fieldName(path)}`
    const words = message.length > MESSAGE_LENGTH ? `${message.slice(0, MESSAGE_LENGTH)}…` : message
    found.push(`Line ${line}${field}: ${words}.`)
    if (found.length < MOST) return
    found.push('The rest was not read.')
    refuse()
  }

  function lineOf(extent: Extent, inside: Path): number {
    const above = lineAt(bytes, extent.start)
    return inside.length === 0 ? above : above + locate(textOf(bytes, extent), inside).line - 1
  }

  return {
    add(extent, path, message, inside = []) {
      note(lineOf(extent, inside), [...path, ...inside], message)
    },
    addIssues(extent, path, { issues }) {
      for (const issue of issues) {
        const inside = pathOf(issue)
        note(lineOf(extent, inside), [...path, ...inside], issue.message)
      }
    },
    addMemberIssues(object, members, path, { issues }) {
      for (const issue of issues) {
        const [key, ...inside] = pathOf(issue)
        const member = members.get(String(key))
        const line = member === undefined ? lineAt(bytes, object.start) : lineOf(member, inside)
        note(line, [...path, ...(key === undefined ? [] : [key]), ...inside], issue.message)
      }
    },
    end() {
      if (found.length > 0) refuse()
    },
  }
}
