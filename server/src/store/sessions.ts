import type { DatabaseSync } from 'node:sqlite'
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
}

export function createSessions(db: DatabaseSync): Sessions {
  const insert = db.prepare('INSERT INTO sessions (id, lab_id, testbed, owner, created_at) VALUES (?, ?, ?, ?, ?)')
  const byId = db.prepare('SELECT * FROM sessions WHERE id = ?')
  const newest = db.prepare('SELECT * FROM sessions ORDER BY created_at DESC, id DESC')
  const byOwner = db.prepare('SELECT * FROM sessions WHERE owner = ? ORDER BY created_at DESC, id DESC')
  const onTestbed = db.prepare('SELECT DISTINCT owner FROM sessions WHERE testbed = ?')
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
  }
}
