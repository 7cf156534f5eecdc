import type { DatabaseSync } from 'node:sqlite'
import type { EpochMs } from '@expresslane/shared/base/units'
import { z } from 'zod'
import { flag, query } from './columns.ts'

const row = z.object({ paused: flag })
const usedRow = z.object({ person: z.string(), ms: z.number() })

/** How far back a person's use counts, in milliseconds. A heavy user waits at most that long for the other people. */
export const USE_COUNTS_MS = 3_600_000

/** A person's run that has ended, and how long it had a shared resource. */
export interface LaneUse {
  readonly person: string
  readonly ms: number
}

/** The state of the queue that no run has. */
export interface QueueState {
  paused(): boolean
  pause(on: boolean): void
  /** Adds a person's use, and forgets uses that no longer count. */
  addUse(use: LaneUse, at: EpochMs): void
  /** How long each person had shared resources in the last hour, in seconds; nobody's is 0. */
  used(at: EpochMs): ReadonlyMap<string, number>
}

export function createQueueState(db: DatabaseSync): QueueState {
  const state = query(db, 'SELECT paused FROM queue', row)
  const update = db.prepare('UPDATE queue SET paused = ?')
  const insert = db.prepare('INSERT INTO lane_use (ended_at, person, ms) VALUES (?, ?, ?)')
  const forget = db.prepare('DELETE FROM lane_use WHERE ended_at <= ?')
  const sum = query(db, 'SELECT person, sum(ms) AS ms FROM lane_use WHERE ended_at > ? GROUP BY person', usedRow)
  return {
    paused: () => state.one()?.paused === true,
    pause(on) {
      update.run(on ? 1 : 0)
    },
    addUse({ person, ms }, at) {
      forget.run(at - USE_COUNTS_MS)
      insert.run(at, person, ms)
    },
    used: (at) => new Map(sum.all(at - USE_COUNTS_MS).map(({ person, ms }) => [person, ms / 1000])),
  }
}
