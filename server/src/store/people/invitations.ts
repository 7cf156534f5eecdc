import type { DatabaseSync } from 'node:sqlite'
import { epochMs, type EpochMs } from '@expresslane/shared/base/units'
import { guestRole } from '@expresslane/shared/wire/room'
import { z } from 'zod'
import { columns, query } from '../columns.ts'
import type { Waiting } from './principals.ts'

const row = columns(
  z.object({
    id: z.string(),
    role: guestRole,
    codeHash: z.string(),
    /** The person whom it lets in again; null for an invitation that lets new people in. */
    principal: z.string().nullable(),
    createdAt: epochMs,
    expiresAt: epochMs,
    revokedAt: epochMs.nullable(),
    /** How many people joined with it. */
    joined: z.number().int(),
  }),
)

export type InvitationRow = z.infer<typeof row>

/** Links that let people in. */
export interface Invitations {
  add(invitation: Omit<InvitationRow, 'joined' | 'revokedAt'>): void
  /** Drops the links to other devices of a person. */
  dropOwn(principal: string): void
  find(id: string): InvitationRow | null
  /** The invitations for new people, newest first. */
  all(): InvitationRow[]
  /** Revokes an invitation, unless it is revoked already. */
  revoke(id: string, at: EpochMs): void
}

const COLUMNS = '*, (SELECT count(*) FROM principals WHERE invitation = invitations.id) AS joined'

/** @param waiting the revoked invitations, whose rows do not say so yet */
export function createInvitations(db: DatabaseSync, waiting: Waiting = new Map()): Invitations {
  const read = row.transform((one) => ({ ...one, revokedAt: one.revokedAt ?? waiting.get(one.id) ?? null }))
  const insert = db.prepare(
    'INSERT INTO invitations (id, role, code_hash, principal, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)',
  )
  const byId = query(db, `SELECT ${COLUMNS} FROM invitations WHERE id = ?`, read)
  const newest = query(
    db,
    `SELECT ${COLUMNS} FROM invitations WHERE principal IS NULL ORDER BY created_at DESC, rowid DESC`,
    read,
  )
  const markRevoked = db.prepare('UPDATE invitations SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL')
  const dropOwn = db.prepare('DELETE FROM invitations WHERE principal = ?')

  return {
    dropOwn(principal) {
      dropOwn.run(principal)
    },
    add({ id, role, codeHash, principal, createdAt, expiresAt }) {
      insert.run(id, role, codeHash, principal, createdAt, expiresAt)
    },
    find: byId.one,
    all: newest.all,
    revoke(id, at) {
      markRevoked.run(at, id)
    },
  }
}
