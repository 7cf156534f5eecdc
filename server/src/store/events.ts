import type { DatabaseSync } from 'node:sqlite'
import { runEvent, runId, type LoggedEvent, type RunEvent } from '@expresslane/shared/run/events'
import { upgradeEvent } from '@expresslane/shared/recordings/upgrade'
import { epochMs, type EpochMs } from '@expresslane/shared/base/units'
import { z } from 'zod'
import { readJson } from './json.ts'

const row = z.object({ seq: z.number().int(), run_id: runId, at: epochMs, event: z.string() })
/** Rows never change, so rows of an earlier version are upgraded when they are read. */
const storedEvent = z.preprocess(upgradeEvent, runEvent)
const seqRow = z.object({ seq: z.number().int() })
const weightRow = z.object({ count: z.number().int(), bytes: z.number().int(), last: z.number().int() })
const countRow = z.object({ count: z.number().int(), last: z.number().int() })

/** The column `kind`: see 0014-event-kinds.sql. */
const kinds = { state: 0, line: 1, sample: 2 } as const
/** Without it, SQLite can read a whole run for the few events of a kind. */
const byKindIndex = 'INDEXED BY events_by_kind'
/** The use of an event: for a run's state, the output of its tools, or its live samples. */
export type EventKind = keyof typeof kinds

/** A part of a run's events, in order. */
export interface EventPage {
  /** Only events of this kind; all where it is missing. */
  readonly kind?: EventKind
  /** Only events after this `seq`. */
  readonly after: number
  /** Only events up to this `seq`. */
  readonly upTo: number
  readonly limit: number
}

const whole: EventPage = { after: 0, upTo: Number.MAX_SAFE_INTEGER, limit: Number.MAX_SAFE_INTEGER }

/** The size of a part of a run's events: their number, and the length of their texts in bytes. */
export interface Weight {
  readonly count: number
  readonly bytes: number
}

export interface Counted {
  readonly count: number
  /** 0 if there are none. */
  readonly last: number
}

/** The append-only event log; the database refuses to change or delete a row. */
export interface Events {
  /** @returns the event's `seq` */
  append(runId: string, at: EpochMs, event: RunEvent): number
  /** Events after `seq`, in order, at most `limit`. */
  since(seq: number, limit: number): LoggedEvent[]
  /** All at once, unless a page is asked for: a run can have any number of events. */
  ofRun(runId: string, page?: EventPage): LoggedEvent[]
  /** The last lines of a run's output before `seq`, oldest first. */
  linesBefore(runId: string, seq: number, limit: number): LoggedEvent[]
  /**
   * Counts at most `limit` lines of a run's output between two `seq`, both excluded. `last` is the last line's `seq`.
   */
  countLines(runId: string, after: number, before: number, limit: number): Counted
  /** The weight of a run's next events, all or of a kind, and the `seq` of the last of them; null if there are none. */
  weigh(
    runId: string,
    kind: EventKind | null,
    after: number,
    limit: number,
  ): (Weight & { readonly last: number }) | null
  /** The last `seq` of a run up to `upTo`; 0 for a run without events. */
  lastOf(runId: string, upTo: number): number
  /** The last `seq` of the log, 0 while it is empty. */
  lastSeq(): number
}

function read(found: unknown): LoggedEvent {
  const { seq, run_id, at, event } = row.parse(found)
  return { seq, runId: run_id, at, event: readJson(storedEvent, event, `event ${seq}`) }
}

export function createEvents(db: DatabaseSync): Events {
  const columns = 'seq, run_id, at, event'
  const insert = db.prepare('INSERT INTO events (run_id, at, event) VALUES (?, ?, ?)')
  const after = db.prepare(`SELECT ${columns} FROM events WHERE seq > ? ORDER BY seq LIMIT ?`)
  const byRun = db.prepare(
    `SELECT ${columns} FROM events WHERE run_id = ? AND seq > ? AND seq <= ? ORDER BY seq LIMIT ?`,
  )
  const byKind = db.prepare(
    `SELECT ${columns} FROM events ${byKindIndex} WHERE run_id = ? AND kind = ? AND seq > ? AND seq <= ? ORDER BY seq LIMIT ?`,
  )
  const lines = db.prepare(
    `SELECT ${columns} FROM events ${byKindIndex} WHERE run_id = ? AND kind = ${kinds.line} AND seq < ? ORDER BY seq DESC LIMIT ?`,
  )
  const count = db.prepare(
    `SELECT count(*) AS count, coalesce(max(seq), 0) AS last FROM
       (SELECT seq FROM events ${byKindIndex}
        WHERE run_id = ? AND kind = ${kinds.line} AND seq > ? AND seq < ? ORDER BY seq LIMIT ?)`,
  )
  const weight = db.prepare(
    `SELECT count(*) AS count, coalesce(sum(bytes), 0) AS bytes, coalesce(max(seq), 0) AS last FROM
       (SELECT seq, octet_length(event) AS bytes FROM events ${byKindIndex}
        WHERE run_id = ? AND kind = ? AND seq > ? ORDER BY seq LIMIT ?)`,
  )
  const wholeWeight = db.prepare(
    `SELECT count(*) AS count, coalesce(sum(bytes), 0) AS bytes, coalesce(max(seq), 0) AS last FROM
       (SELECT seq, octet_length(event) AS bytes FROM events WHERE run_id = ? AND seq > ? ORDER BY seq LIMIT ?)`,
  )
  const lastOf = db.prepare('SELECT coalesce(max(seq), 0) AS seq FROM events WHERE run_id = ? AND seq <= ?')
  // Not the largest in the table: the last run can have been pruned, and a `seq` is never used again.
  const last = db.prepare("SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'events'), 0) AS seq")
  return {
    append(id, at, event) {
      return Number(insert.run(id, at, JSON.stringify(event)).lastInsertRowid)
    },
    since(seq, limit) {
      return after.all(seq, limit).map(read)
    },
    ofRun(id, { kind, after: from, upTo, limit } = whole) {
      const found =
        kind === undefined ? byRun.all(id, from, upTo, limit) : byKind.all(id, kinds[kind], from, upTo, limit)
      return found.map(read)
    },
    linesBefore(id, seq, limit) {
      return lines.all(id, seq, limit).map(read).toReversed()
    },
    countLines(id, from, before, limit) {
      return countRow.parse(count.get(id, from, before, limit))
    },
    weigh(id, kind, from, limit) {
      const weighed = kind === null ? wholeWeight.get(id, from, limit) : weight.get(id, kinds[kind], from, limit)
      const found = weightRow.parse(weighed)
      return found.count === 0 ? null : found
    },
    lastOf(id, upTo) {
      return seqRow.parse(lastOf.get(id, upTo)).seq
    },
    lastSeq() {
      return seqRow.parse(last.get()).seq
    },
  }
}
