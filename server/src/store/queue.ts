import type { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'

const row = z.object({ paused: z.literal([0, 1]) })

/** The state of the queue that no run has. */
export interface QueueState {
  paused(): boolean
  pause(on: boolean): void
}

export function createQueueState(db: DatabaseSync): QueueState {
  const select = db.prepare('SELECT paused FROM queue')
  const update = db.prepare('UPDATE queue SET paused = ?')
  return {
    paused: () => row.parse(select.get()).paused === 1,
    pause(on) {
      update.run(on ? 1 : 0)
    },
  }
}
