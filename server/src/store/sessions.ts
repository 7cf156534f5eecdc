import type { DatabaseSync } from 'node:sqlite'
import { session, type Session } from '@expresslane/shared/wire/protocol'
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

/** Learners' sessions. */
export interface Sessions {
  add(session: Session): void
  find(id: string): Session | null
  /** Newest first. */
  all(): Session[]
  /** A principal's, newest first. */
  of(owner: string): Session[]
}

export function createSessions(db: DatabaseSync): Sessions {
  const insert = db.prepare('INSERT INTO sessions (id, lab_id, testbed, owner, created_at) VALUES (?, ?, ?, ?, ?)')
  const byId = db.prepare('SELECT * FROM sessions WHERE id = ?')
  const newest = db.prepare('SELECT * FROM sessions ORDER BY created_at DESC, id DESC')
  const byOwner = db.prepare('SELECT * FROM sessions WHERE owner = ? ORDER BY created_at DESC, id DESC')
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
  }
}
