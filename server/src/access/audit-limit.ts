/** How many requests of one guest are recorded in the audit log: they must not fill it. */
import type { EpochMs } from '@expresslane/shared/base/units'
import type { Principal } from './principal.ts'

/** Lines a minute for refused requests of a participant or a viewer, and for requests that changed something. */
export const MOST_REFUSALS = 20
export const MOST_CHANGES = 30

export const MINUTE_MS = 60_000

type Recording = 'all' | 'last' | 'none'

/** The requests of a guest in a minute that are not recorded. */
export interface LeftOut {
  readonly principal: Principal
  readonly address: string
  readonly refusals: number
  readonly changes: number
}

export interface AuditLimit {
  /** Counts a request. @returns whether to record it; `last` for the last line in this minute */
  count(principal: Principal, address: string, refused: boolean): Recording
  /** Ends the minute. @returns the people with requests that were not recorded in it */
  leftOut(): LeftOut[]
}

interface Counts {
  readonly principal: Principal
  readonly address: string
  refusals: number
  changes: number
}

export function createAuditLimit(clock: { now(): EpochMs }): AuditLimit {
  const counts = new Map<string, Counts>()
  const before: LeftOut[] = []
  let minute = 0

  function endMinute(): void {
    for (const { refusals, changes, ...who } of counts.values()) {
      const left = { refusals: Math.max(0, refusals - MOST_REFUSALS), changes: Math.max(0, changes - MOST_CHANGES) }
      if (left.refusals + left.changes > 0) before.push({ ...who, ...left })
    }
    counts.clear()
  }

  return {
    count(principal, address, refused) {
      if (principal.role === 'instructor') return 'all'
      const now = Math.floor(clock.now() / MINUTE_MS)
      if (now !== minute) endMinute()
      minute = now
      const known = counts.get(principal.id) ?? { principal, address, refusals: 0, changes: 0 }
      counts.set(principal.id, known)
      const [count, most] = refused ? [(known.refusals += 1), MOST_REFUSALS] : [(known.changes += 1), MOST_CHANGES]
      if (count === most) return 'last'
      return count < most ? 'all' : 'none'
    },
    leftOut() {
      endMinute()
      return before.splice(0)
    },
  }
}
