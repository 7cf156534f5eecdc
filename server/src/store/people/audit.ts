import type { DatabaseSync } from 'node:sqlite'
import { auditEntry, type AuditEntry } from '@expresslane/shared/wire/room'
import { z } from 'zod'
import { readJson } from '../json.ts'

const row = z
  .object({ target: z.string() })
  .loose()
  .transform((from) => ({
    ...from,
    target: readJson(auditEntry.shape.target, from.target, 'a line of the audit log'),
  }))
  .pipe(auditEntry)

/** The audit log: the newest lines, up to a limit. */
export interface Audit {
  add(entry: Omit<AuditEntry, 'id'>): void
  /** Newest first. @param before only lines before this one */
  page(limit: number, before?: number): AuditEntry[]
}

/** Some 20 MB. A room of 30 writes about 2,000 lines a day. */
const MOST = 100_000
/** Old lines are dropped this often, in lines. */
const SWEEP = 1000

export function createAudit(db: DatabaseSync): Audit {
  const insert = db.prepare(
    'INSERT INTO audit (at, principal, name, role, address, action, target, status) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  )
  const sweep = db.prepare('DELETE FROM audit WHERE id <= ?')
  const newest = db.prepare('SELECT * FROM audit WHERE id < ? ORDER BY id DESC LIMIT ?')
  return {
    add({ at, principal, name, role, address, action, target, status }) {
      const { lastInsertRowid } = insert.run(at, principal, name, role, address, action, JSON.stringify(target), status)
      const id = Number(lastInsertRowid)
      if (id % SWEEP === 0) sweep.run(id - MOST)
    },
    page: (limit, before = Number.MAX_SAFE_INTEGER) => newest.all(before, limit).map((found) => row.parse(found)),
  }
}
