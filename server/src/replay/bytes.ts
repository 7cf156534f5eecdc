/** The bytes of a recording's file. */
import { createHash } from 'node:crypto'
import type { RecordedFile } from '@expresslane/shared/recordings/file/events'
import { letOthers } from '../workers/turns.ts'

const CHUNK_BYTES = 64 * 1024

/** Based on the content: a file has the same id on every server. */
export function recordingId(bytes: Uint8Array): string {
  return `imported-${createHash('sha256').update(bytes).digest('hex').slice(0, 16)}`
}

/** The whole file, a chunk at a time, with a turn for others after each. */
export async function* chunksOf({ size, read }: RecordedFile): AsyncGenerator<Uint8Array, void> {
  for (let from = 0; from < size; from += CHUNK_BYTES) {
    yield read(from, Math.min(size, from + CHUNK_BYTES))
    await letOthers()
  }
}
