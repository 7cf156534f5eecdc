import type { DatabaseSync } from 'node:sqlite'
import { runEvent, runId, type LoggedEvent, type RunEvent } from '@expresslane/shared/run/events'
import { upgradeEvent } from '@expresslane/shared/recordings/upgrade'
import { epochMs, type EpochMs } from '@expresslane/shared/measure/units'
import { z } from 'zod'
import { readJson } from './json.ts'

const row = z.object({ seq: z.number().int(), run_id: runId, at: epochMs, event: z.string() })
/** Rows never change, so rows of an earlier version are upgraded when they are read. */
const storedEvent = z.preprocess(upgradeEvent, runEvent)
const seqRow = z.object({ seq: z.number().int() })

/** The append-only event log; the database refuses to change or delete a row. */
export interface Events {
  /** @returns the event's `seq` */
  append(runId: string, at: EpochMs, event: RunEvent): number
  /** Events after `seq`, in order, at most `limit`. */
  since(seq: number, limit: number): LoggedEvent[]
  ofRun(runId: string): LoggedEvent[]
  /** The last `seq` of the log, 0 while it is empty. */
  lastSeq(): number
}

function read(found: unknown): LoggedEvent {
  const { seq, run_id, at, event } = row.parse(found)
  return { seq, runId: run_id, at, event: readJson(storedEvent, event, `event ${seq}`) }
}

export function createEvents(db: DatabaseSync): Events {
  const insert = db.prepare('INSERT INTO events (run_id, at, event) VALUES (?, ?, ?)')
  const after = db.prepare('SELECT * FROM events WHERE seq > ? ORDER BY seq LIMIT ?')
  const byRun = db.prepare('SELECT * FROM events WHERE run_id = ? ORDER BY seq')
  const last = db.prepare('SELECT coalesce(max(seq), 0) AS seq FROM events')
  return {
    append(id, at, event) {
      return Number(insert.run(id, at, JSON.stringify(event)).lastInsertRowid)
    },
    since(seq, limit) {
      return after.all(seq, limit).map(read)
    },
    ofRun(id) {
      return byRun.all(id).map(read)
    },
    lastSeq() {
      return seqRow.parse(last.get()).seq
    },
  }
}
