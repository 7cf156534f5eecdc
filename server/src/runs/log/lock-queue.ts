/**
 * Events that can't be stored for a moment, because another process has the database's write lock. They wait here, off
 * the event loop, and are stored in their order when the lock is free.
 */
import { LabError } from '@expresslane/shared/base/errors'
import type { EpochMs } from '@expresslane/shared/base/units'
import type { RunEvent, RunId } from '@expresslane/shared/run/events'
import { isLocked } from '../../store/file/problems.ts'
import type { Store } from '../../store/open.ts'
import type { Clock } from '../clock.ts'

export interface HeldEvent {
  readonly runId: RunId
  readonly at: EpochMs
  readonly event: RunEvent
}

/** Between two attempts. Each can take as long as a statement waits for the lock (store/file/database.ts). */
const AGAIN_MS = 100
/** How long a lock may last before what waits for it fails. A measurement goes on meanwhile. */
export const PATIENCE_MS = 30_000

export interface LockQueue {
  isEmpty(): boolean
  /** @throws LabError why it could not be stored, when an earlier one has waited too long or can't be stored at all */
  hold(held: HeldEvent): void
  /** Stores what waits, if the lock is free. @throws LabError `data_in_use`, `data_full` */
  flush(): void
  /** Resolves when nothing waits and a write would succeed. @throws LabError `data_in_use`, `data_full` */
  settled(patienceMs?: number): Promise<void>
}

function locked(): LabError {
  return new LabError(
    'data_in_use',
    'Another program has locked the database, and did not release it in time.',
    'Stop that program, then run the step again.',
  )
}

/** @param write stores all of them or none, in order, and reports them */
export function createLockQueue(
  store: Pick<Store, 'isFree'>,
  clock: Clock,
  write: (held: readonly HeldEvent[]) => void,
): LockQueue {
  let waiting: HeldEvent[] = []
  /** Why the latest attempt failed. */
  let failure: Error | null = null
  let scheduled = false

  function flush(): void {
    if (waiting.length === 0) return
    const held = waiting
    waiting = []
    try {
      write(held)
      failure = null
    } catch (error) {
      waiting = [...held, ...waiting]
      failure = error instanceof Error ? error : new Error(String(error))
      throw error
    }
  }

  function tryLater(): void {
    if (scheduled) return
    scheduled = true
    clock.after(AGAIN_MS, () => {
      scheduled = false
      try {
        flush()
      } catch {
        tryLater()
      }
    })
  }

  function canWrite(): boolean {
    try {
      flush()
      return store.isFree()
    } catch (error) {
      if (isLocked(error)) return false
      throw error
    }
  }

  return {
    isEmpty: () => waiting.length === 0,
    hold(held) {
      const [first] = waiting
      if (failure !== null && !isLocked(failure)) throw failure
      if (first !== undefined && clock.now() - first.at > PATIENCE_MS) throw locked()
      waiting.push(held)
      tryLater()
    },
    flush,
    async settled(patienceMs = PATIENCE_MS) {
      const since = clock.now()
      while (!canWrite()) {
        if (clock.now() - since >= patienceMs) throw locked()
        await new Promise<void>((resolve) => void clock.after(AGAIN_MS, resolve))
      }
    },
  }
}
