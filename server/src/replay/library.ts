/** The recordings that this server can play: the shipped and the imported ones. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LabError } from '@expresslane/shared/wire/errors'
import { viewRecording, type Recording, type RecordingView } from '@expresslane/shared/recordings/recording'
import type { EpochMs } from '@expresslane/shared/measure/units'
import type { Recordings } from '../store/recordings.ts'
import { readRecording, recordingId } from './read.ts'

export interface Library {
  /** The shipped recordings, then the imported ones, newest first. */
  list(): RecordingView[]
  /** @throws LabError `not_found` */
  text(id: string): string
  /** @throws LabError `not_found`, `recording_invalid` */
  read(id: string): Recording
  /** Importing a file again does not duplicate it. @throws LabError `recording_invalid` */
  add(text: string, at: EpochMs): RecordingView
  /** @throws LabError `not_found`; `recording_shipped` for a shipped recording */
  remove(id: string): void
}

interface Shipped {
  readonly view: RecordingView
  readonly text: string
}

const SUFFIX = '.json'

function readShipped(dir: string): Shipped[] {
  return readdirSync(dir)
    .filter((file) => file.endsWith(SUFFIX))
    .toSorted()
    .map((file) => {
      const text = readFileSync(join(dir, file), 'utf8')
      return { text, view: viewRecording(readRecording(text), file.slice(0, -SUFFIX.length), true) }
    })
}

/** @param dir the folder of the shipped recordings */
export function createLibrary(dir: string, imported: Recordings): Library {
  let known: readonly Shipped[] | null = null
  /** Read on first use, because many servers never play a recording. */
  function shipped(): readonly Shipped[] {
    known ??= readShipped(dir)
    return known
  }

  function text(id: string): string {
    const found = shipped().find(({ view }) => view.id === id)?.text ?? imported.text(id)
    if (found !== null) return found
    throw new LabError(
      'not_found',
      'This recording does not exist.',
      'Choose a recording from the list on the start page.',
    )
  }

  return {
    list: () => [...shipped().map(({ view }) => view), ...imported.all()],
    text,
    read: (id) => readRecording(text(id)),
    add(file, at) {
      const view = viewRecording(readRecording(file), recordingId(file), false)
      imported.add(view, file, at)
      return view
    },
    remove(id) {
      if (imported.remove(id)) return
      text(id)
      throw new LabError(
        'recording_shipped',
        'This recording comes with Expresslane.',
        'Only imported recordings can be removed.',
      )
    },
  }
}
