/** Removes sessions that the history no longer keeps: whole sessions, oldest first. */
import type { DatabaseSync } from 'node:sqlite'
import { epochMs, type EpochMs } from '@expresslane/shared/base/units'
import { z } from 'zod'
import { query } from '../columns.ts'
import { prune, type Pruned } from './prune.ts'

const beginsRow = z.object({ begins_at: epochMs })
const pagesRow = z.object({ bytes: z.number().int() })
const sessionRow = z.object({ id: z.string() })

/** Events that one transaction deletes: it takes a few milliseconds of the thread that also answers requests. */
const EVENTS_AT_ONCE = 200

export interface Retention {
  /** From when on sessions are removed. A history of an earlier version is kept whole until its owner could read of it. */
  beginsAt(): EpochMs
  /** The size of the history in bytes, without the pages that new runs can use again. */
  usedBytes(): number
  /**
   * The session that was not used for the longest time, if its last run ended before a time. Never a presented session,
   * or a session that has a run which goes on or waits. Null if there is none.
   */
  oldest(before: EpochMs): string | null
  /** Goes on with a removal that was interrupted. */
  finish(pause: () => Promise<void>): Promise<Pruned>
  /** Removes a session with all its runs. @param pause called after each short transaction; may reject to interrupt it */
  forget(sessionId: string, pause: () => Promise<void>): Promise<Pruned>
}

export function createRetention(db: DatabaseSync): Retention {
  const begins = db.prepare('SELECT begins_at FROM retention')
  const used = db.prepare(
    `SELECT (page_count - freelist_count) * page_size AS bytes
     FROM pragma_page_count, pragma_freelist_count, pragma_page_size`,
  )
  const oldest = query(
    db,
    `SELECT session_id AS id FROM runs WHERE session_id NOT IN (SELECT session_id FROM presentation)
     GROUP BY session_id HAVING max(coalesce(ended_at, ?)) < ? ORDER BY max(ended_at), session_id LIMIT 1`,
    sessionRow,
  )
  return {
    beginsAt: () => beginsRow.parse(begins.get()).begins_at,
    usedBytes: () => pagesRow.parse(used.get()).bytes,
    // A run that goes on or waits has no end: it counts as later.
    oldest: (before) => oldest.one(before, before)?.id ?? null,
    finish: (pause) => prune(db, { by: 'age', before: epochMs.parse(0) }, pause, EVENTS_AT_ONCE),
    forget: (sessionId, pause) => prune(db, { by: 'session', sessionId }, pause, EVENTS_AT_ONCE),
  }
}
