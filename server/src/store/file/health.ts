/** Whether the database takes writes now. */
import type { DatabaseSync } from 'node:sqlite'
import { LabError } from '@expresslane/shared/base/errors'
import { suspect } from './damaged.ts'
import { isLocked } from './problems.ts'

/** Whether another process has the write lock. Takes the lock and gives it back, without a write. */
export function isFree(db: DatabaseSync): boolean {
  try {
    db.exec('BEGIN IMMEDIATE')
    db.exec('ROLLBACK')
    return true
  } catch (error) {
    if (isLocked(error)) return false
    throw error
  }
}

export interface Health {
  /** Keeps the latest failure. */
  note(problem: LabError): void
  /** Calls back at each failure. @returns unsubscribes */
  onFailure(listener: () => void): () => void
  /** Forgets it: from here on there is another file. */
  forget(): void
  /** The latest failure if a write fails now, too; else null. */
  problem(db: DatabaseSync): LabError | null
}

export function createHealth(dataDir: string): Health {
  let latest: LabError | null = null
  const listeners = new Set<() => void>()
  return {
    note(problem) {
      if (problem.code === 'data_corrupt') suspect(dataDir)
      latest = problem
      for (const listener of listeners) listener()
    },
    onFailure(listener) {
      const called = (): void => listener()
      listeners.add(called)
      return () => listeners.delete(called)
    },
    forget() {
      latest = null
    },
    problem(db) {
      // A damaged file can still take some writes.
      if (latest === null || latest.code === 'data_corrupt') return latest
      latest = null
      try {
        // Writes a page, and changes nothing.
        db.exec('UPDATE queue SET paused = paused')
      } catch (error) {
        if (!(error instanceof LabError)) throw error
        latest = error
      }
      return latest
    },
  }
}
