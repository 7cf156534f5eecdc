/** Reads a checked recording piece by piece: no more than one piece is in memory. */
import { recordedEvent, type RecordedEvent } from '@expresslane/shared/recordings/recording'
import type { Outline, ByteRange } from './outline.ts'
import { letOthers } from '../../workers/turns.ts'

const CHUNK_BYTES = 64 * 1024

/** A checked recording. */
export interface RecordedFile {
  readonly outline: Outline
  /** In bytes. */
  readonly size: number
  /** The bytes between two positions. @throws LabError `not_found` once it was removed */
  read(from: number, to: number): Buffer
}

/** The events of one piece of a run. */
export function eventsIn({ read }: RecordedFile, [from, to]: ByteRange): RecordedEvent[] {
  const lines = read(from, to).toString().split('\n')
  return lines.map((line) => recordedEvent.parse(JSON.parse(line)))
}

/** The whole file, a chunk at a time, with a turn for others after each. */
export async function* chunksOf({ size, read }: RecordedFile): AsyncGenerator<Buffer, void> {
  for (let from = 0; from < size; from += CHUNK_BYTES) {
    yield read(from, Math.min(size, from + CHUNK_BYTES))
    await letOthers()
  }
}
