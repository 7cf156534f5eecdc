/** How many refused requests of one principal are recorded: they must not push the changes out of the audit log. */
import type { EpochMs } from '@expresslane/shared/measure/units'
import type { Principal } from './principal.ts'

/** Lines a minute for refused requests of a participant or a viewer. */
export const MOST_REFUSALS = 20

const MINUTE_MS = 60_000

type Recording = 'all' | 'last' | 'none'

interface RefusalLimit {
  /** Counts a refused request. @returns whether to record it; `last` for the last one in this minute */
  count(principal: Principal): Recording
}

export function createRefusalLimit(clock: { now(): EpochMs }): RefusalLimit {
  const counts = new Map<string, number>()
  let minute = 0

  return {
    count({ id, role }) {
      if (role === 'instructor') return 'all'
      const now = Math.floor(clock.now() / MINUTE_MS)
      if (now !== minute) counts.clear()
      minute = now
      const count = (counts.get(id) ?? 0) + 1
      counts.set(id, count)
      if (count === MOST_REFUSALS) return 'last'
      return count < MOST_REFUSALS ? 'all' : 'none'
    },
  }
}
