/**
 * Copies the database's write-ahead log into the database in a worker thread. SQLite does it in the thread that writes, and
 * waits there until the disk has everything: on a slow disk for over a second, in which the event loop answers nobody.
 *
 * @see https://www.sqlite.org/wal.html#ckpt
 */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createTaskWorker } from '../../workers/task-worker.ts'
import { DATABASE } from '../file/damaged.ts'

/**
 * The log is copied when it has this size. The next write then starts the log's file again and waits for the disk once. A larger
 * value makes both rarer.
 */
const LOG_BYTES = 16 * 1024 * 1024
/** Between two looks at the size. */
const LOOK_MS = 1000
const LIMITS = { megabytes: 32, ms: 60_000 }

interface Timer {
  after(ms: number, callback: () => void): () => void
}

export interface Checkpoints {
  /** Copies the log if it is large and was written to since the last time. Resolves when that is done. */
  look(): Promise<void>
  close(): void
}

/**
 * Looks at the log from time to time. If the log still grows, the thread that writes copies it.
 *
 * @param onError called with what stopped the worker
 * @param bytes from which size on the log is copied
 */
export function checkpointApart(
  dataDir: string,
  timer: Timer,
  onError: (error: unknown) => void,
  bytes = LOG_BYTES,
): Checkpoints {
  const file = join(dataDir, DATABASE)
  const worker = createTaskWorker(new URL('./checkpoint-worker.ts', import.meta.url), LIMITS, timer)
  let closed = false
  let copiedAt: number | null = null
  let cancel = (): void => {}

  async function look(): Promise<void> {
    try {
      // Without a log there is nothing to copy.
      const log = await stat(`${file}-wal`).catch(() => null)
      if (closed || log === null || log.size < bytes || log.mtimeMs === copiedAt) return
      copiedAt = log.mtimeMs
      await worker.run({ file })
    } catch (error) {
      if (!closed) onError(error)
    }
  }

  function lookLater(): void {
    if (!closed) cancel = timer.after(LOOK_MS, () => void look().finally(lookLater))
  }

  lookLater()
  return {
    look,
    close() {
      closed = true
      cancel()
      worker.close(new Error('the store is closing'))
    },
  }
}
