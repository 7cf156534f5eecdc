import type { DatabaseSync } from 'node:sqlite'
import { epochMs, type EpochMs } from '@expresslane/shared/base/units'
import { guestRole } from '@expresslane/shared/wire/room'
import { z } from 'zod'
import type { Waiting } from './principals.ts'

const row = z
  .object({
    id: z.string(),
    role: guestRole,
    code_hash: z.string(),
    principal: z.string().nullable(),
    created_at: epochMs,
    expires_at: epochMs,
    revoked_at: epochMs.nullable(),
    joined: z.number().int(),
  })
  .transform((from) => ({
    id: from.id,
    role: from.role,
    codeHash: from.code_hash,
    /** The person whom it lets in again; null for an invitation that lets new people in. */
    principal: from.principal,
    createdAt: from.created_at,
    expiresAt: from.expires_at,
    revokedAt: from.revoked_at,
    /** How many people joined with it. */
    joined: from.joined,
  }))

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
  const insert = db.prepare(
    'INSERT INTO invitations (id, role, code_hash, principal, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)',
  )
  const byId = db.prepare(`SELECT ${COLUMNS} FROM invitations WHERE id = ?`)
  const newest = db.prepare(
    `SELECT ${COLUMNS} FROM invitations WHERE principal IS NULL ORDER BY created_at DESC, rowid DESC`,
  )
  const markRevoked = db.prepare('UPDATE invitations SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL')
  const dropOwn = db.prepare('DELETE FROM invitations WHERE principal = ?')

  function read(found: unknown): InvitationRow {
    const invitation = row.parse(found)
    return { ...invitation, revokedAt: invitation.revokedAt ?? waiting.get(invitation.id) ?? null }
  }

  return {
    dropOwn(principal) {
      dropOwn.run(principal)
    },
    add({ id, role, codeHash, principal, createdAt, expiresAt }) {
      insert.run(id, role, codeHash, principal, createdAt, expiresAt)
    },
    find(id) {
      const found = byId.get(id)
      return found === undefined ? null : read(found)
    },
    all: () => newest.all().map(read),
    revoke(id, at) {
      markRevoked.run(at, id)
    },
  }
}
