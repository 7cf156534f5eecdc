import type { DatabaseSync } from 'node:sqlite'
import { runId, runStatus } from '@expresslane/shared/run/events'
import type { WalkedRun } from '@expresslane/shared/run/walked-run'
import { errorCodes } from '@expresslane/shared/base/errors'
import { z } from 'zod'

const row = z
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
  .transform((from): WalkedRun => ({
    id: from.id,
    stepId: from.step_id,
    state: from.state,
    incarnation: from.incarnation,
    lastSeq: from.last_seq,
    started: from.started === 1,
    passed: from.passed === 1,
    measured: from.measured === 1,
    problem: from.problem,
  }))

/** The facts of a session's runs that its walk needs, without their events. */
export interface Walks {
  /** Oldest first. A run that has not ended has no measurements here. */
  of(sessionId: string): WalkedRun[]
}

export function createWalks(db: DatabaseSync): Walks {
  const bySession = db.prepare(
    `SELECT id, step_id, state, incarnation, queued_at IS NULL AS started,
       (SELECT coalesce(max(seq), 0) FROM events WHERE run_id = runs.id) AS last_seq,
       state = 'completed' AND summary ->> '$.passed' IS 1 AS passed,
       summary ->> '$.measured' IS NOT NULL AS measured,
       summary ->> '$.problem.code' AS problem
     FROM runs WHERE session_id = ? ORDER BY started_at, id`,
  )
  return { of: (id) => bySession.all(id).map((found) => row.parse(found)) }
}
