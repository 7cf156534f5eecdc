/** Reads a checked recording piece by piece: no more than one piece is in memory. */
import { recordedEvent, type RecordedEvent } from '../recording.ts'
import { textIn } from './lines.ts'
import type { Outline, ByteRange } from './outline.ts'

/** A checked recording. */
export interface RecordedFile {
  readonly outline: Outline
  /** In bytes. */
  readonly size: number
  /** The bytes between two positions. @throws LabError `not_found` once it was removed */
  read(from: number, to: number): Uint8Array
}

/** The events of one piece of a run. */
export function eventsIn({ read }: RecordedFile, [from, to]: ByteRange): RecordedEvent[] {
  const lines = textIn(read(from, to)).split('\n')
  return lines.map((line) => recordedEvent.parse(JSON.parse(line)))
}
