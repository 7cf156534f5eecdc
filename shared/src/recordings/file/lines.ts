/** The lines of a recording's file, in the current version's form. An earlier file becomes such lines on the way. */
import { isEarlier, linesOfEarlier } from '../earlier.ts'
import { fieldName, invalid, type Path, type Placed } from './faults.ts'

/** The largest comparison of the largest plan has about 2 MB, 3,000 objects and 100,000 numbers. */
const LINE_BYTES = 4 * 1024 * 1024
const NEWLINE = 0x0a

export interface Line extends Placed {
  /** The line's value. @throws LabError `recording_invalid` for a line that is too large or not valid JSON */
  read(): unknown
  /** The line's first byte in the file, and the byte after its last. */
  readonly start: number
  readonly end: number
}

// A byte order mark is a fault of the file, as any other character before its head.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** The text of UTF-8 bytes. */
export function textIn(bytes: Uint8Array): string {
  return decoder.decode(bytes)
}

/** V8 counts lines within the text that it got, which is one line here. */
function parseLine(text: string, number: number): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/ \(line 1 column \d+\)$/, '').slice(0, 200) : ''
    throw invalid(`Line ${number} of this file is not valid JSON: ${why}.`)
  }
}

function* linesIn(bytes: Uint8Array): Generator<Line> {
  let number = 1
  for (let start = 0; start < bytes.length || number === 1; number += 1) {
    const found = bytes.indexOf(NEWLINE, start)
    const [from, to, line] = [start, found === -1 ? bytes.length : found, number]
    const where = (field: Path): string =>
      field.length === 0 ? `Line ${line}` : `Line ${line}, field ${fieldName(field)}`
    yield {
      read() {
        if (to - from > LINE_BYTES) throw invalid(`Line ${line}: larger than ${LINE_BYTES / 1024 / 1024} MB.`)
        return parseLine(textIn(bytes.subarray(from, to)), line)
      },
      where,
      start: from,
      end: to,
    }
    start = to + 1
  }
}

/** V8 reads a value of any depth, and writes none that is deeper than its stack. */
function stringified(value: unknown, path: string): string {
  try {
    return JSON.stringify(value) ?? 'null'
  } catch (error) {
    if (error instanceof RangeError) throw invalid(`Field ${path || 'of the file'}: nested too deeply.`)
    throw error
  }
}

/** The lines of a file of an earlier version, which collects them as it yields them. */
function* linesFrom(file: Record<string, unknown>, collected: Uint8Array[]): Generator<Line> {
  let start = 0
  for (const { value, path } of linesOfEarlier(file)) {
    const bytes = new TextEncoder().encode(`${stringified(value, path)}\n`)
    collected.push(bytes)
    const end = start + bytes.length - 1
    const read = (): unknown => {
      if (end - start > LINE_BYTES) throw invalid(`Field ${path}: larger than ${LINE_BYTES / 1024 / 1024} MB.`)
      return value
    }
    // The line of a run holds the run's own fields one level down.
    const where = (field: Path): string =>
      `Field ${[path, fieldName(field[0] === 'run' ? field.slice(1) : field)].filter((part) => part !== '').join('.') || 'of the file'}`
    yield { read, where, start, end }
    start = end + 1
  }
}

/** The whole file as a JSON value; undefined if it is none. @throws LabError for an earlier version that breaks off */
function earlierIn(bytes: Uint8Array): unknown {
  const end = bytes.indexOf(NEWLINE)
  const first = textIn(bytes.subarray(0, Math.min(end === -1 ? bytes.length : end, LINE_BYTES))).trim()
  try {
    const parsed: unknown = JSON.parse(first)
    if (!isEarlier(parsed)) return undefined
  } catch {
    // Several lines can be one value.
  }
  try {
    return JSON.parse(textIn(bytes))
  } catch (error) {
    if (first !== '{' || end === -1) return undefined
    throw invalid(`This file is not valid JSON: ${error instanceof Error ? error.message.slice(0, 200) : ''}.`)
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

export interface FileLines {
  readonly lines: Iterable<Line>
  /** The file in the current version's form; complete once all lines were taken. */
  bytes(): Uint8Array
}

/** @throws LabError `recording_invalid` for a file of an earlier version that is not valid JSON */
export function openLines(bytes: Uint8Array): FileLines {
  const file = earlierIn(bytes)
  if (!isEarlier(file)) return { lines: linesIn(bytes), bytes: () => bytes }
  const collected: Uint8Array[] = []
  return { lines: linesFrom(file, collected), bytes: () => joined(collected) }
}
