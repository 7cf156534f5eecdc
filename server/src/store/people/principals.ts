import type { DatabaseSync } from 'node:sqlite'
import { epochMs, type EpochMs } from '@expresslane/shared/base/units'
import { ownerId } from '@expresslane/shared/testbed/id'
import { guestRole, type GuestRole } from '@expresslane/shared/wire/room'
import { z } from 'zod'
import { columns, query } from '../columns.ts'

const row = columns(
  z.object({
    id: ownerId,
    role: guestRole,
    name: z.string(),
    /** The invitation that let them in; null for a door's code. */
    invitation: z.string().nullable(),
    joinedAt: epochMs,
    /** When their logins end. */
    expiresAt: epochMs,
    /** When their access was taken back. */
    removedAt: epochMs.nullable(),
    /** From where they joined: an address, or the network of an IPv6 address; null where that is not known. */
    network: z.string().nullable(),
  }),
)

/** Somebody who joined. */
export type Guest = z.infer<typeof row>

const idRow = z.object({ id: z.string() })
const login = columns(z.object({ principal: z.string(), keyHash: z.string() }))
const countRow = z.object({ count: z.number().int() })

/** Persons and invitations whose access was taken back, which the database does not have yet: by id, with the time. */
export type Waiting = Map<string, EpochMs>

/** The most browsers of a person. */
const MOST_LOGINS = 10

/** People who joined with an invitation or a door's code, and the browsers that they are logged in with. */
export interface Principals {
  add(guest: Omit<Guest, 'removedAt' | 'network'> & Partial<Pick<Guest, 'network'>>): void
  find(id: string): Guest | null
  /** Lets in a person who was here before. @returns false for an unknown or removed person */
  renew(id: string, name: string, expiresAt: EpochMs): boolean
  /** The people of a role who have not left and still have access, in the order in which they joined. */
  present(role: GuestRole, now: EpochMs): Guest[]
  count(role: GuestRole, now: EpochMs): number
  /** How many people who joined from a network have left since then. */
  leftFrom(network: string, since: EpochMs): number
  /** Drops a person, the logins included. */
  drop(id: string): void
  /** The ids of people who joined with an invitation and are not removed. */
  joinedWith(invitation: string): string[]
  /** Takes the access of a person back, if they have it. */
  remove(id: string, at: EpochMs): void
  /** Drops viewers and links to other devices that are out of date. Participants stay: their results have a name. */
  forget(now: EpochMs): void
  /** The oldest logins of a person end when there are many. */
  addLogin(login: { id: string; principal: string; keyHash: string; madeAt: EpochMs }): void
  findLogin(id: string): { principal: string; keyHash: string } | null
  /** @returns whether the person can still come in: with another login, or a link to another device that is valid */
  endLogin(id: string, principal: string, now: EpochMs): boolean
  /** Frees the seat and the name of somebody who has no login any more. */
  leave(id: string, at: EpochMs): void
  /** Ends a login of the owner of the link, which has no row, for good: the cookie itself has no end. */
  endOwnerLogin(id: string, at: EpochMs): void
  isEnded(ownerLogin: string): boolean
}

const IS_IN = 'removed_at IS NULL AND id NOT IN (SELECT value FROM json_each(?))'

/** @param waiting whose access was taken back, which the rows do not say yet */
export function createPrincipals(db: DatabaseSync, waiting: Waiting = new Map()): Principals {
  const insert = db.prepare(
    'INSERT INTO principals (id, role, name, invitation, joined_at, expires_at, network) VALUES (?, ?, ?, ?, ?, ?, ?)',
  )
  const comesBack = db.prepare(
    `UPDATE principals SET name = ?, expires_at = max(expires_at, ?), left_at = NULL
     WHERE id = ? AND ${IS_IN}`,
  )
  const byId = query(db, 'SELECT * FROM principals WHERE id = ?', row)
  const isPresent = `role = ? AND left_at IS NULL AND expires_at > ? AND ${IS_IN}`
  const presentOnes = query(db, `SELECT * FROM principals WHERE ${isPresent} ORDER BY joined_at, rowid`, row)
  const counted = db.prepare(`SELECT count(*) AS count FROM principals WHERE ${isPresent}`)
  const leftOnes = db.prepare('SELECT count(*) AS count FROM principals WHERE network = ? AND left_at > ?')
  const byInvitation = query(db, `SELECT id FROM principals WHERE invitation = ? AND ${IS_IN}`, idRow)
  const markRemoved = db.prepare('UPDATE principals SET removed_at = ? WHERE id = ? AND removed_at IS NULL')
  const dropPrincipal = db.prepare('DELETE FROM principals WHERE id = ?')
  const dropLogins = db.prepare('DELETE FROM logins WHERE principal = ?')
  const dropOldLinks = db.prepare('DELETE FROM invitations WHERE principal IS NOT NULL AND expires_at <= ?')
  const oldViewers = "SELECT id FROM principals WHERE role = 'viewer' AND expires_at <= ?"
  const dropOldLogins = db.prepare(`DELETE FROM logins WHERE principal IN (${oldViewers})`)
  const dropOldViewers = db.prepare(`DELETE FROM principals WHERE id IN (${oldViewers})`)
  const insertLogin = db.prepare('INSERT INTO logins (id, principal, key_hash, made_at) VALUES (?, ?, ?, ?)')
  const dropOldest = db.prepare(
    'DELETE FROM logins WHERE id IN (SELECT id FROM logins WHERE principal = ? ORDER BY made_at DESC, rowid DESC LIMIT -1 OFFSET ?)',
  )
  const loginById = query(db, 'SELECT principal, key_hash FROM logins WHERE id = ?', login)
  const dropLogin = db.prepare('DELETE FROM logins WHERE id = ?')
  const waysIn = db.prepare(
    `SELECT (SELECT count(*) FROM logins WHERE principal = :person)
      + (SELECT count(*) FROM invitations WHERE principal = :person AND expires_at > :now) AS count`,
  )
  const markLeft = db.prepare('UPDATE principals SET left_at = ? WHERE id = ?')
  const endOwner = db.prepare('INSERT OR IGNORE INTO ended_logins (id, ended_at) VALUES (?, ?)')
  const ended = db.prepare('SELECT id FROM ended_logins WHERE id = ?')
  const gone = (): string => JSON.stringify([...waiting.keys()])
  return {
    add({ id, role, name, invitation, joinedAt, expiresAt, network = null }) {
      insert.run(id, role, name, invitation, joinedAt, expiresAt, network)
    },
    find(id) {
      const guest = byId.one(id)
      return guest && { ...guest, removedAt: guest.removedAt ?? waiting.get(id) ?? null }
    },
    renew: (id, name, expiresAt) => comesBack.run(name, expiresAt, id, gone()).changes > 0,
    present: (role, now) => presentOnes.all(role, now, gone()),
    count: (role, now) => countRow.parse(counted.get(role, now, gone())).count,
    leftFrom: (network, since) => countRow.parse(leftOnes.get(network, since)).count,
    drop(id) {
      dropLogins.run(id)
      dropPrincipal.run(id)
    },
    joinedWith: (invitation) => byInvitation.all(invitation, gone()).map(({ id }) => id),
    remove(id, at) {
      dropLogins.run(id)
      markRemoved.run(at, id)
    },
    forget(now) {
      dropOldLinks.run(now)
      dropOldLogins.run(now)
      dropOldViewers.run(now)
    },
    addLogin({ id, principal, keyHash, madeAt }) {
      insertLogin.run(id, principal, keyHash, madeAt)
      dropOldest.run(principal, MOST_LOGINS)
    },
    findLogin: loginById.one,
    endLogin(id, principal, now) {
      dropLogin.run(id)
      return countRow.parse(waysIn.get({ person: principal, now })).count > 0
    },
    leave(id, at) {
      markLeft.run(at, id)
    },
    endOwnerLogin(id, at) {
      endOwner.run(id, at)
    },
    isEnded: (ownerLogin) => ended.get(ownerLogin) !== undefined,
  }
}
