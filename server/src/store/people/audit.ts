import type { DatabaseSync } from 'node:sqlite'
import { auditEntry, type AuditEntry } from '@expresslane/shared/wire/board'
import type { Role } from '@expresslane/shared/wire/room'
import { z } from 'zod'
import { query } from '../columns.ts'
import { readJson } from '../json.ts'

const row = z
  .object({ target: z.string() })
  .loose()
  .transform((from) => ({
    ...from,
    target: readJson(auditEntry.shape.target, from.target, 'a line of the audit log'),
  }))
  .pipe(auditEntry)

/** The audit log: the newest lines, up to a limit for each role. Lines of guests never push out lines of an instructor. */
export interface Audit {
  add(entry: Omit<AuditEntry, 'id'>): void
  /** Newest first. @param before only lines before this line */
  page(limit: number, before?: number): AuditEntry[]
}

/** Some 20 MB together. A room of 30 writes about 2,000 lines a day. */
const MOST: Readonly<Record<Role, number>> = { instructor: 50_000, participant: 40_000, viewer: 10_000 }
/** Old lines are dropped this often, in lines. */
const SWEEP = 1000

/** @param most the most lines of each role */
export function createAudit(db: DatabaseSync, most = MOST): Audit {
  const insert = db.prepare(
    'INSERT INTO audit (at, principal, name, role, address, action, target, status) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  )
  const sweep = db.prepare(
    'DELETE FROM audit WHERE role = ? AND id <= (SELECT id FROM audit WHERE role = ? ORDER BY id DESC LIMIT 1 OFFSET ?)',
  )
  const newest = query(db, 'SELECT * FROM audit WHERE id < ? ORDER BY id DESC LIMIT ?', row)
  return {
    add({ at, principal, name, role, address, action, target, status }) {
      const { lastInsertRowid } = insert.run(at, principal, name, role, address, action, JSON.stringify(target), status)
      if (Number(lastInsertRowid) % SWEEP !== 0) return
      for (const [one, lines] of Object.entries(most)) sweep.run(one, one, lines)
    },
    page: (limit, before = Number.MAX_SAFE_INTEGER) => newest.all(before, limit),
  }
}
