import type { DatabaseSync } from 'node:sqlite'
import { errorCodes } from '@expresslane/shared/base/errors'
import { runId, runStatus } from '@expresslane/shared/run/events'
import type { WalkedRun } from '@expresslane/shared/run/walked-run'
import { session, type Session } from '@expresslane/shared/wire/protocol'
import type { TestbedId } from '@expresslane/shared/testbed/id'
import { z } from 'zod'

const row = z
  .object({ id: z.string(), lab_id: z.string(), testbed: z.string(), owner: z.string(), created_at: z.number() })
  .transform((from) => ({
    id: from.id,
    labId: from.lab_id,
    testbed: from.testbed,
    owner: from.owner,
    createdAt: from.created_at,
  }))
  .pipe(session)

const runRow = z
  .object({
    id: runId,
    step_id: z.string(),
    state: runStatus,
    incarnation: z.string(),
    last_seq: z.number().int(),
    started: z.number(),
    passed: z.number(),
    measured: z.number(),
    problem: z.enum(errorCodes).nullable(),
  })
  .transform(({ step_id: stepId, last_seq: lastSeq, started, passed, measured, ...same }): WalkedRun => ({
    ...same,
    stepId,
    lastSeq,
    started: started === 1,
    passed: passed === 1,
    measured: measured === 1,
  }))

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
  runs(id: string): WalkedRun[]
}

export function createSessions(db: DatabaseSync): Sessions {
  const insert = db.prepare('INSERT INTO sessions (id, lab_id, testbed, owner, created_at) VALUES (?, ?, ?, ?, ?)')
  const byId = db.prepare('SELECT * FROM sessions WHERE id = ?')
  const newest = db.prepare('SELECT * FROM sessions ORDER BY created_at DESC, id DESC')
  const byOwner = db.prepare('SELECT * FROM sessions WHERE owner = ? ORDER BY created_at DESC, id DESC')
  const onTestbed = db.prepare('SELECT DISTINCT owner FROM sessions WHERE testbed = ?')
  const runsOf = db.prepare(
    `SELECT id, step_id, state, incarnation, queued_at IS NULL AS started,
       (SELECT coalesce(max(seq), 0) FROM events WHERE run_id = runs.id) AS last_seq,
       state = 'completed' AND summary ->> '$.passed' IS 1 AS passed,
       summary ->> '$.measured' IS NOT NULL AS measured,
       summary ->> '$.problem.code' AS problem
     FROM runs WHERE session_id = ? ORDER BY started_at, id`,
  )
  return {
    add(one) {
      insert.run(one.id, one.labId, one.testbed, one.owner, one.createdAt)
    },
    find(id) {
      const found = byId.get(id)
      return found === undefined ? null : row.parse(found)
    },
    all() {
      return newest.all().map((found) => row.parse(found))
    },
    of(owner) {
      return byOwner.all(owner).map((found) => row.parse(found))
    },
    ownersOn(testbed) {
      return onTestbed.all(testbed).map((found) => ownerRow.parse(found).owner)
    },
    runs: (id) => runsOf.all(id).map((found) => runRow.parse(found)),
  }
}
