import { LabError } from '@expresslane/shared/base/errors'
import type { RecordingView } from '@expresslane/shared/recordings/recording'
import type { LabTestbedFactory } from '../runs/perform/perform.ts'
import type { RecordedFile } from '@expresslane/shared/recordings/file/events'
import { createReplay } from './perform.ts'
import type { Timer } from './play.ts'

/** Provides recordings. */
export interface RecordingSource {
  list(): readonly RecordingView[]
  /** @throws LabError `not_found`, `recording_invalid` */
  open(id: string): Promise<RecordedFile>
}

/** Each recording is a context, named by its id. */
export function createReplayFactory(source: RecordingSource, timer: Timer): LabTestbedFactory {
  return {
    contexts: () =>
      source
        .list()
        .map(({ id, name }) => ({ name: id, cluster: name, namespace: null, current: false, insecure: false })),
    needsChoice: false,
    asked: () => null,
    async make(id) {
      if (id !== null) return createReplay(id, await source.open(id), timer)
      throw new LabError(
        'context_not_chosen',
        'No recording is chosen yet.',
        'Choose one under “Where they run” on the start page, or drop a file there.',
      )
    },
  }
}
