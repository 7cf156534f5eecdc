/** Checks recordings in a worker thread. */
import { LabError, problem } from '@expresslane/shared/base/errors'
import { z } from 'zod'
import { createTaskWorker, type Limits } from '../workers/task-worker.ts'
import type { Timer } from './play.ts'
import { invalid } from '@expresslane/shared/recordings/file/faults'
import { outline, type Outline } from '@expresslane/shared/recordings/file/outline'

/** The largest event takes about a third of the memory, and the largest file a few seconds. */
const LIMITS: Limits = { megabytes: 512, ms: 60_000 }

const checked = z.union([
  /** The file in the form of the current version; null where it has that form. */
  z.strictObject({ id: z.string(), outline, converted: z.instanceof(Uint8Array).nullable() }),
  z.strictObject({ problem }),
])
export type Checked = z.infer<typeof checked>

export interface CheckedFile {
  readonly id: string
  readonly outline: Outline
  /** In the form of the current version. */
  readonly bytes: Uint8Array
}

export interface Checks {
  /** @throws LabError `recording_invalid` */
  check(bytes: Uint8Array): Promise<CheckedFile>
  /** Ends the check that goes on. */
  close(): void
}

function shareable(bytes: Uint8Array): SharedArrayBuffer {
  const shared = new SharedArrayBuffer(bytes.length)
  new Uint8Array(shared).set(bytes)
  return shared
}

function excess(what: string): LabError {
  return invalid(`This recording can't be read: checking it takes too much ${what}.`)
}

export function createChecks(timer: Timer, limits = LIMITS): Checks {
  const worker = createTaskWorker(new URL('./check-worker.ts', import.meta.url), limits, timer)
  return {
    async check(bytes) {
      const ended = await worker.run({ shared: shareable(bytes) })
      if (ended.end === 'out-of-memory') throw excess('memory')
      if (ended.end === 'out-of-time') throw excess('time')
      const answer = checked.parse(ended.answer)
      if (!('problem' in answer)) return { id: answer.id, outline: answer.outline, bytes: answer.converted ?? bytes }
      const { code, message, remedy, detail } = answer.problem
      throw new LabError(code, message, remedy, detail === null ? {} : { detail })
    },
    close() {
      worker.close(new LabError('server_restarted', 'The server is stopping.', 'Import the file again.'))
    },
  }
}
