/** Prunes the history: whole runs that have ended, with their events, and sessions that are empty then. */
import type { DatabaseSync } from 'node:sqlite'
import { runId, type RunId } from '@expresslane/shared/run/events'
import type { EpochMs } from '@expresslane/shared/base/units'
import { LabError } from '@expresslane/shared/base/errors'
import { z } from 'zod'
import { inTransaction } from '../transaction.ts'

/** The runs to prune: runs that ended before a time, all but the newest runs, or the runs of a session. */
export type PruneWish =
  | { readonly by: 'age'; readonly before: EpochMs }
  | { readonly by: 'count'; readonly keep: number }
  | { readonly by: 'session'; readonly sessionId: string }

export interface Pruned {
  readonly runs: number
  readonly events: number
  readonly sessions: number
}

/** Events that one transaction deletes. It takes some milliseconds, and other processes write in between. */
const EVENTS_AT_ONCE = 2000

const idRow = z.object({ id: runId })
const openRow = z.object({ open: z.number().int() })
const countRow = z.object({ events: z.number().int() })
const ENDED = "state NOT IN ('queued', 'running')"
/** Sessions that nobody misses: not on a projector, and without a run. */
const EMPTY = `NOT EXISTS (SELECT 1 FROM runs WHERE session_id = sessions.id)
  AND NOT EXISTS (SELECT 1 FROM presentation WHERE session_id = sessions.id)`

function idsOf(rows: readonly unknown[]): RunId[] {
  return rows.map((found) => idRow.parse(found).id)
}

/** @throws LabError `not_found`, `testbed_busy` */
function requireIdle(db: DatabaseSync, sessionId: string): void {
  if (db.prepare('SELECT 1 FROM sessions WHERE id = ?').get(sessionId) === undefined) {
    throw new LabError('not_found', `The session ${sessionId} does not exist.`, 'List the sessions with `info`.', {
      remedyCommand: 'npm run data -- info',
    })
  }
  const { open } = openRow.parse(
    db.prepare(`SELECT count(*) AS open FROM runs WHERE session_id = ? AND NOT ${ENDED}`).get(sessionId),
  )
  if (open === 0) return
  throw new LabError(
    'testbed_busy',
    'A run of this session is running or waiting.',
    'Wait until it has ended, or cancel it on the page.',
  )
}

/**
 * The runs to prune, oldest first. Runs that are running or waiting are never among them.
 *
 * @throws LabError `not_found`, `testbed_busy`
 */
export function runsToPrune(db: DatabaseSync, wish: PruneWish): RunId[] {
  switch (wish.by) {
    case 'age':
      return idsOf(
        db.prepare(`SELECT id FROM runs WHERE ${ENDED} AND ended_at < ? ORDER BY started_at, id`).all(wish.before),
      )
    case 'count':
      return idsOf(
        db
          .prepare(`SELECT id FROM runs WHERE ${ENDED} ORDER BY started_at DESC, id DESC LIMIT -1 OFFSET ?`)
          .all(wish.keep),
      ).toReversed()
    case 'session':
      requireIdle(db, wish.sessionId)
      return idsOf(db.prepare(`SELECT id FROM runs WHERE session_id = ? ORDER BY started_at, id`).all(wish.sessionId))
  }
}

/** The events of these runs. */
export function eventsOf(db: DatabaseSync, runs: readonly RunId[]): number {
  const count = db.prepare('SELECT count(*) AS events FROM events WHERE run_id = ?')
  return runs.reduce((sum, id) => sum + countRow.parse(count.get(id)).events, 0)
}

function dropSessions(db: DatabaseSync, wish: PruneWish, touched: ReadonlySet<string>): number {
  const drop = (condition: string, ...values: (string | number)[]): number =>
    Number(db.prepare(`DELETE FROM sessions WHERE ${EMPTY} AND ${condition}`).run(...values).changes)
  return inTransaction(db, () => {
    const emptied = [...touched].reduce((sum, id) => sum + drop('id = ?', id), 0)
    // Somebody opened a lab, and ran nothing.
    return wish.by === 'age' ? emptied + drop('created_at < ?', wish.before) : emptied
  })
}

/**
 * Prunes in short transactions, so that other processes can write in between. If it is interrupted, the next pruning goes
 * on: only the beginning of a run is left then.
 *
 * @param pause called after each transaction
 * @param atOnce events that one transaction deletes
 * @throws LabError `not_found`, `testbed_busy`, `data_in_use`, `data_full`
 */
export async function prune(
  db: DatabaseSync,
  wish: PruneWish,
  pause: () => Promise<void>,
  atOnce = EVENTS_AT_ONCE,
): Promise<Pruned> {
  const wished = runsToPrune(db, wish)
  const begun = idsOf(db.prepare('SELECT run_id AS id FROM pruning').all())
  const runs = [...new Set([...begun, ...wished])]
  const mark = db.prepare('INSERT INTO pruning (run_id) VALUES (?) ON CONFLICT DO NOTHING')
  const dropEvents = db.prepare(
    'DELETE FROM events WHERE seq IN (SELECT seq FROM events WHERE run_id = ? ORDER BY seq DESC LIMIT ?)',
  )
  const sessionOf = db.prepare('SELECT session_id AS id FROM runs WHERE id = ?')
  const dropRun = db.prepare('DELETE FROM runs WHERE id = ?')
  const touched = new Set<string>()
  let events = 0
  let next = 0

  /** @returns the number of events that were deleted; fewer than `most` when the run is gone */
  function pruneSome(id: RunId, most: number): number {
    mark.run(id)
    const dropped = Number(dropEvents.run(id, most).changes)
    if (dropped === most) return dropped
    const session = sessionOf.get(id)
    if (session !== undefined) touched.add(z.object({ id: z.string() }).parse(session).id)
    dropRun.run(id)
    next += 1
    return dropped
  }

  while (next < runs.length) {
    inTransaction(db, () => {
      for (let room = atOnce; room > 0;) {
        const id = runs[next]
        if (id === undefined) return
        const dropped = pruneSome(id, room)
        events += dropped
        // A run without events costs something, too.
        room -= Math.max(dropped, 20)
      }
    })
    await pause()
  }
  return { runs: runs.length, events, sessions: dropSessions(db, wish, touched) }
}
