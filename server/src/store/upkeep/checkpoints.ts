/**
 * Copies the database's write-ahead log into the database in a worker thread. SQLite does it in the thread that writes, and
 * waits there until the disk has everything: on a slow disk for over a second, in which the event loop answers nobody.
 *
 * @see https://www.sqlite.org/wal.html#ckpt
 */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { formatStorage } from '@expresslane/shared/measure/storage'
import { LabError } from '@expresslane/shared/base/errors'
import { z } from 'zod'
import { typedLine } from '../../testbeds/typed.ts'
import { createTaskWorker } from '../../workers/task-worker.ts'
import { DATABASE } from '../file/damaged.ts'

/**
 * The log is copied when it has this size. The next write then starts the log's file again and waits for the disk once. A larger
 * value makes both rarer.
 */
const LOG_BYTES = 16 * 1024 * 1024
/** From this size on its file is cut after copying: only then a reader can have kept it. */
const CUT_BYTES = 64 * 1024 * 1024
/** Between two looks at the size. */
const LOOK_MS = 1000
const LIMITS = { megabytes: 32, ms: 60_000 }

interface Timer {
  after(ms: number, callback: () => void): () => void
}

export interface Checkpoints {
  /** Copies the log if it is large and was written to since the last time. Resolves when that is done. */
  look(): Promise<void>
  /** Why no run may start: a program that reads the database keeps its log, which grows without end. Null if none does. */
  problem(): LabError | null
  close(): void
}

/** SQLite begins again in the log's file only when nobody reads any of it. */
function keptByReader(dataDir: string, bytes: number): LabError {
  return new LabError(
    'data_in_use',
    `Another program has been reading the database in ${dataDir} for so long that its log has grown to ${formatStorage(bytes)}.`,
    'Stop that program. The command shows which programs have the file open.',
    { remedyCommand: typedLine(['fuser', '-v', join(dataDir, DATABASE)]) },
  )
}

interface Options {
  readonly dataDir: string
  readonly timer: Timer
  /** Called with the error that stopped the worker, and once for a log that is kept too large. */
  readonly onError: (error: unknown) => void
  /** From which size on the log is a problem, in bytes. */
  readonly mostBytes: number
  /** From which size on the log is copied, in bytes. */
  readonly bytes?: number
}

/** Looks at the log from time to time. If the log still grows, the thread that writes copies it. */
export function checkpointApart({ dataDir, timer, onError, mostBytes, bytes = LOG_BYTES }: Options): Checkpoints {
  const file = join(dataDir, DATABASE)
  const worker = createTaskWorker(new URL('./checkpoint-worker.ts', import.meta.url), LIMITS, timer)
  let closed = false
  let problem: LabError | null = null
  let isKept = false
  let copiedAt: number | null = null
  let cancel = (): void => {}

  async function look(): Promise<void> {
    try {
      // Without a log there is nothing to copy.
      const log = await stat(`${file}-wal`).catch(() => null)
      if (closed || log === null || log.size < bytes) {
        problem = null
        return
      }
      if (log.mtimeMs === copiedAt && !isKept) return
      copiedAt = log.mtimeMs
      const ended = await worker.run({ file, cut: log.size >= Math.min(CUT_BYTES, mostBytes) })
      isKept = ended.end !== 'answered' || z.number().parse(ended.answer) > 0
      const before = problem
      problem = isKept && log.size >= mostBytes ? keptByReader(dataDir, log.size) : null
      if (problem !== null && before === null) onError(problem)
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
    problem: () => problem,
    close() {
      closed = true
      cancel()
      worker.close(new Error('the store is closing'))
    },
  }
}
