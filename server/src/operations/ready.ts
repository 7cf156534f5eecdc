/** Whether this server can take work now. */
import { access, constants, statfs } from 'node:fs/promises'
import { LabError } from '@expresslane/shared/base/errors'
import type { Store } from '../store/open.ts'

/** With less free space than this a run's events may not fit. */
const LEAST_FREE_BYTES = 32 * 1024 * 1024

export interface Readiness {
  /**
   * Why the server is not ready: `server_restarted`, or a problem of the data such as `data_full`. Null if it is ready.
   */
  problem(): Promise<LabError | null>
  /** From here on it is not ready: the server has begun to stop. */
  stopping(): void
}

function unwritable(dataDir: string, error: unknown): LabError {
  if (error instanceof LabError) return error
  return new LabError(
    'data_unwritable',
    `Expresslane can’t use its data in ${dataDir}.`,
    'Look at the disk: is it there, and writable?',
    { detail: error instanceof Error ? error.message : String(error), cause: error },
  )
}

function almostFull(dataDir: string, free: number): LabError {
  return new LabError(
    'data_full',
    `The disk with ${dataDir} is almost full: ${Math.floor(free / 1024)} KiB are free.`,
    'Free some space on this disk. The command shows what the history takes and how to prune it.',
    { remedyCommand: 'npm run data -- info' },
  )
}

/** Writes nothing while all is well: a write would wait for another process's lock, and this is asked every few seconds. */
export function createReadiness({ store, dataDir }: { readonly store: Store; readonly dataDir: string }): Readiness {
  let isStopping = false

  async function checkData(): Promise<void> {
    const problem = store.problem()
    if (problem !== null) throw problem
    store.events.lastSeq()
    await access(dataDir, constants.W_OK)
    const { bavail, bsize } = await statfs(dataDir)
    const free = bavail * bsize
    if (free < LEAST_FREE_BYTES) throw almostFull(dataDir, free)
  }

  return {
    async problem() {
      if (isStopping) {
        return new LabError('server_restarted', 'Expresslane is stopping.', 'Start it again with `npm start`.')
      }
      return await checkData().then(
        () => null,
        (error: unknown) => unwritable(dataDir, error),
      )
    },
    stopping() {
      isStopping = true
    },
  }
}
