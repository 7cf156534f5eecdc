/** Reads a checked recording piece by piece: no more than one piece is in memory. */
import { recordedEvent, RECORDING_VERSION, type RecordedEvent } from '@expresslane/shared/recordings/recording'
import { upgradeEvent } from '@expresslane/shared/recordings/upgrade'
import { z } from 'zod'
import type { Outline, Place } from './outline.ts'
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

/** A recorded event in the current shape; what is no object is left for the schema to report. */
export function upgradeRecorded(version: number, raw: unknown): unknown {
  if (version === RECORDING_VERSION || typeof raw !== 'object' || raw === null || !('event' in raw)) return raw
  return { ...raw, event: upgradeEvent(raw.event) }
}

/** The events of one piece of a run. */
export function eventsIn({ outline, read }: RecordedFile, [from, to]: Place): RecordedEvent[] {
  const raw = z.array(z.unknown()).parse(JSON.parse(`[${read(from, to).toString()}]`))
  return raw.map((one) => recordedEvent.parse(upgradeRecorded(outline.version, one)))
}

/** The whole file, a chunk at a time, with a turn for others after each. */
export async function* chunksOf({ size, read }: RecordedFile): AsyncGenerator<Buffer, void> {
  for (let from = 0; from < size; from += CHUNK_BYTES) {
    yield read(from, Math.min(size, from + CHUNK_BYTES))
    await letOthers()
  }
}
