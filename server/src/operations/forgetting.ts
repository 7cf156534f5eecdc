/** Removes old sessions from the history, while nothing is measured. */
import { formatStorage } from '@expresslane/shared/measure/storage'
import { epochMs, type EpochMs } from '@expresslane/shared/base/units'
import { LabError } from '@expresslane/shared/base/errors'
import type { Logger } from 'pino'
import type { Keep } from '../config.ts'
import type { Clock } from '../runs/clock.ts'
import type { Store } from '../store/open.ts'
import { letOthers } from '../workers/turns.ts'

/** Between two looks, in milliseconds. */
export const FORGET_EVERY_MS = 10 * 60_000
const DAY_MS = 24 * 60 * 60_000
/** A session that was used lately stays, also when the history is larger than it should be. */
export const RECENT_DAYS = 30

interface Parts {
  readonly store: Pick<Store, 'retention' | 'runs'>
  readonly clock: Clock
  readonly logger: Pick<Logger, 'warn'>
  readonly keep: Keep
}

/** A run has begun, or the server stops. The rest is removed next time. */
class Interrupted extends Error {}

export interface Forgetting {
  /** Removes the sessions that are too old or too large now. Resolves when that is done, or when a run has begun. */
  look(): Promise<void>
  close(): void
}

export function forgetOldSessions({ store: { retention, runs }, clock, logger, keep }: Parts): Forgetting {
  let closed = false
  let cancel = (): void => {}

  function requireRest(): void {
    if (closed || runs.open().length > 0) throw new Interrupted()
  }

  async function pause(): Promise<void> {
    await letOthers()
    requireRest()
  }

  const daysAgo = (days: number): EpochMs => epochMs.parse(Math.max(0, clock.now() - days * DAY_MS))

  function next(): { readonly sessionId: string; readonly why: string } | null {
    const old = keep.days === null ? null : retention.oldest(daysAgo(keep.days))
    if (old !== null) return { sessionId: old, why: `not used for ${keep.days} days` }
    if (keep.bytes === null || retention.usedBytes() <= keep.bytes) return null
    const oldest = retention.oldest(daysAgo(RECENT_DAYS))
    return oldest === null ? null : { sessionId: oldest, why: `the history takes over ${formatStorage(keep.bytes)}` }
  }

  async function forget(): Promise<void> {
    requireRest()
    await retention.finish(pause)
    if (clock.now() < retention.beginsAt()) return
    for (let one = next(); one !== null; one = next()) {
      const pruned = await retention.forget(one.sessionId, pause)
      logger.warn({ ...one, ...pruned }, 'an old session was removed from the history')
      await pause()
    }
  }

  async function look(): Promise<void> {
    try {
      await forget()
    } catch (error) {
      // The store can be locked or full: it says so, and this is tried again.
      if (!(error instanceof Interrupted || error instanceof LabError)) {
        logger.warn({ err: error }, 'old sessions are not removed')
      }
    }
  }

  function lookLater(): void {
    if (!closed) cancel = clock.after(FORGET_EVERY_MS, () => void look().finally(lookLater))
  }

  lookLater()
  return {
    look,
    close() {
      closed = true
      cancel()
    },
  }
}
