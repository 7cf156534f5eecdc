import type { DatabaseSync } from 'node:sqlite'
import { errorCodes } from '@expresslane/shared/base/errors'
import { runId, runStatus } from '@expresslane/shared/run/events'
import type { RunFacts } from '@expresslane/shared/run/run-facts'
import { session, type Session } from '@expresslane/shared/wire/protocol'
import type { TestbedId } from '@expresslane/shared/testbed/id'
import { z } from 'zod'
import { columns, flag, query } from './columns.ts'

const row = columns(session)

const runRow = columns(
  z.object({
    id: runId,
    stepId: z.string(),
    state: runStatus,
    incarnation: z.string(),
    lastSeq: z.number().int(),
    started: flag,
    passed: flag,
    measured: flag,
    problem: z.enum(errorCodes).nullable(),
  }),
)

const ownerRow = z.object({ owner: z.string() })

/** Learners' sessions. */
export interface Sessions {
  add(session: Session): void
  find(id: string): Session | null
  /** Newest first. */
  all(): Session[]
  /** A principal's, newest first. */
  of(owner: string): Session[]
  /** The principals with sessions on this testbed. */
  ownersOn(testbed: TestbedId): string[]
  /** A session's runs without their events, oldest first. A run that has not ended has no measurements here. */
  runs(id: string): RunFacts[]
}

export function createSessions(db: DatabaseSync): Sessions {
  const insert = db.prepare('INSERT INTO sessions (id, lab_id, testbed, owner, created_at) VALUES (?, ?, ?, ?, ?)')
  const byId = query(db, 'SELECT * FROM sessions WHERE id = ?', row)
  const newest = query(db, 'SELECT * FROM sessions ORDER BY created_at DESC, id DESC', row)
  const byOwner = query(db, 'SELECT * FROM sessions WHERE owner = ? ORDER BY created_at DESC, id DESC', row)
  const onTestbed = query(db, 'SELECT DISTINCT owner FROM sessions WHERE testbed = ?', ownerRow)
  const runsOf = query(
    db,
    `SELECT id, step_id, state, incarnation, queued_at IS NULL AS started,
       (SELECT coalesce(max(seq), 0) FROM events WHERE run_id = runs.id) AS last_seq,
       state = 'completed' AND summary ->> '$.passed' IS 1 AS passed,
       summary ->> '$.measured' IS NOT NULL AS measured,
       summary ->> '$.problem.code' AS problem
     FROM runs WHERE session_id = ? ORDER BY started_at, id`,
    runRow,
  )
  return {
    add(one) {
      insert.run(one.id, one.labId, one.testbed, one.owner, one.createdAt)
    },
    find: byId.one,
    all: newest.all,
    of: byOwner.all,
    ownersOn: (testbed) => onTestbed.all(testbed).map(({ owner }) => owner),
    runs: runsOf.all,
  }
}
