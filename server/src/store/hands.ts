import type { DatabaseSync } from 'node:sqlite'
import { epochMs, type EpochMs } from '@expresslane/shared/base/units'
import { sessionId, type SessionId } from '@expresslane/shared/run/events'
import { ownerId, testbedId } from '@expresslane/shared/testbed/id'
import { z } from 'zod'
import { columns, query } from './columns.ts'

/** `left`: the participant was removed, or logged out. */
const loweredBy = z.enum(['participant', 'instructor', 'left'])
export type LoweredBy = z.infer<typeof loweredBy>

const row = columns(
  z.object({
    id: z.number().int(),
    /** The participant. */
    person: ownerId,
    sessionId,
    labId: z.string(),
    testbed: testbedId,
    stepId: z.string(),
    raisedAt: epochMs,
    /** Null while the hand is up. */
    loweredAt: epochMs.nullable(),
    loweredBy: loweredBy.nullable(),
  }),
)

/** The newest hands of a session that are kept: a script can raise and lower a hand again and again. */
const MOST = 100

/** A participant who asks for help, or asked. */
export type Hand = z.infer<typeof row>

/** Hands that participants raised. They end with their sessions. */
export interface Hands {
  raise(hand: Pick<Hand, 'sessionId' | 'stepId' | 'raisedAt'>): void
  lower(session: SessionId, at: EpochMs, by: LoweredBy): void
  /** The hands that are up, in the order in which they were raised. */
  up(): Hand[]
  /** All hands, up and down, in the order in which they were raised. */
  all(): Hand[]
}

export function createHands(db: DatabaseSync): Hands {
  const insert = db.prepare('INSERT INTO hands (session_id, step_id, raised_at) VALUES (?, ?, ?)')
  const markLowered = db.prepare(
    'UPDATE hands SET lowered_at = ?, lowered_by = ? WHERE session_id = ? AND lowered_at IS NULL',
  )
  const dropOldest = db.prepare(
    'DELETE FROM hands WHERE id IN (SELECT id FROM hands WHERE session_id = ? ORDER BY id DESC LIMIT -1 OFFSET ?)',
  )
  const select = `SELECT hands.id, owner AS person, session_id, lab_id, testbed, step_id, raised_at, lowered_at, lowered_by
     FROM hands JOIN sessions ON sessions.id = session_id`
  const every = query(db, `${select} ORDER BY raised_at, hands.id`, row)
  const raised = query(db, `${select} WHERE lowered_at IS NULL ORDER BY raised_at, hands.id`, row)
  return {
    raise({ sessionId: session, stepId, raisedAt }) {
      insert.run(session, stepId, raisedAt)
      dropOldest.run(session, MOST)
    },
    lower(session, at, by) {
      markLowered.run(at, by, session)
    },
    up: raised.all,
    all: every.all,
  }
}
