/** People who joined this server: their logins, and taking their access back. */
import { LabError } from '@expresslane/shared/base/errors'
import { epochMs, type EpochMs } from '@expresslane/shared/base/units'
import type { Store } from '../store/open.ts'
import type { Guest } from '../store/people/principals.ts'
import { createCapacity, MOST_VIEWERS, type Capacity, type Joining } from './joining/capacity.ts'
import type { Principal } from './principal.ts'
import { hasHash, idOfSecret, newId, newSecret } from './secrets.ts'

/** A person stays logged in for a day at least, and as long as the invitation is valid that let them in. */
const LOGIN_MS = 24 * 60 * 60_000
/** Between two attempts to store removals that could not be stored, and to make the reserve whole, in milliseconds. */
const AGAIN_MS = 1000

export interface People extends Omit<Capacity, 'require'> {
  /** The principal with a login key, from a cookie or a bearer token; null for an unknown key. */
  withKey(key: string): Principal | null
  /** True while the principal still has access. Always true for the instructor, who did not join. */
  holds(principal: Principal): boolean
  /**
   * @returns the person and the key of a login
   * @throws LabError `room_full`, `name_taken`, `not_allowed` for a person who was removed and comes again
   */
  join(joining: Joining): { readonly principal: Principal; readonly key: string }
  /** A login on another device. @returns its key */
  logIn(principal: string): string
  /** Ends a login, with its streams. Somebody without another login has left, and their results stay. */
  logOut(principal: Principal, login: string): void
  /** Whether a login of a person has not ended. */
  holdsLogin(principal: Principal, login: string): boolean
  /** Participants with access, in the order in which they joined. */
  participants(): Guest[]
  /**
   * Takes back the access of a person and closes their streams, also while nothing can be stored. The invitation that
   * they used lets nobody else in; who joined with it stays.
   *
   * @returns false for an unknown or removed person
   */
  remove(id: string): boolean
  /** The same for an invitation, and for everybody who joined with it. */
  revoke(invitation: string): void
  close(): void
}

interface Clock {
  now(): EpochMs
  after(ms: number, callback: () => void): () => void
}

interface Parts {
  readonly store: Pick<Store, 'principals' | 'revocations'>
  readonly clock: Clock
  /** The most participants. */
  readonly limit: number
  /** True while at least one page of this person is connected. */
  isOnline(id: string): boolean
  /** The most viewers; for tests. */
  readonly viewers?: number
  /** Called when the access of a person was taken back. */
  onRemoved(id: string): void
  /** Called when a login has ended. */
  onLoggedOut(login: string): void
  /** Called when a person has logged out of their last browser. */
  onLeft(id: string): void
}

function removed(): LabError {
  return new LabError('not_allowed', 'Your access to this room was taken back.', 'Ask the instructor.')
}

/** Takes access back, at once in memory, and later in the database. Begins with removals that an earlier process left. */
function createRevoker({ store: { revocations }, clock, onRemoved }: Parts) {
  let stop: (() => void) | null = null

  function tend(): void {
    stop ??= clock.after(AGAIN_MS, () => {
      stop = null
      if (!revocations.settle() || !revocations.restore()) tend()
    })
  }

  /** In memory first: nothing that fails comes before the closed streams. */
  function takeBack(persons: readonly string[], invitations: readonly string[]): void {
    revocations.add([...invitations, ...persons], clock.now())
    const failed: unknown[] = []
    for (const id of persons) {
      try {
        onRemoved(id)
      } catch (error) {
        failed.push(error)
      }
    }
    revocations.settle()
    tend()
    if (failed.length > 0) throw failed[0]
  }

  tend()
  return {
    takeBack,
    close() {
      stop?.()
      stop = () => {}
    },
  }
}

/** Forgets people whose time is over, and begins to store the removals that an earlier process could not store. */
export function createPeople(parts: Parts): People {
  const { store, clock, limit, viewers = MOST_VIEWERS, isOnline, onLoggedOut, onLeft } = parts
  const { principals } = store
  const capacity = createCapacity({ principals, clock, limit, viewers, isOnline })
  principals.forget(clock.now())
  const revoker = createRevoker(parts)

  function present(id: string): Guest | null {
    const guest = principals.find(id)
    return guest === null || guest.removedAt !== null || guest.expiresAt <= clock.now() ? null : guest
  }

  function logIn(principal: string): string {
    const { id, text, hash } = newSecret()
    principals.addLogin({ id, principal, keyHash: hash, madeAt: clock.now() })
    return text
  }

  return {
    withKey(key) {
      const id = idOfSecret(key)
      const login = id === null ? null : principals.findLogin(id)
      if (login === null || !hasHash(key, login.keyHash)) return null
      const guest = present(login.principal)
      return guest === null ? null : { id: guest.id, role: guest.role, name: guest.name }
    },
    holds: ({ id }) => principals.find(id) === null || present(id) !== null,
    join(joining) {
      capacity.require(joining)
      const { role, name, invitation, until, network } = joining
      const joinedAt = clock.now()
      const expiresAt = epochMs.parse(Math.max(joinedAt + LOGIN_MS, until ?? 0))
      const principal = { id: joining.again ?? newId(), role, name }
      if (joining.again === undefined) principals.add({ ...principal, invitation, joinedAt, expiresAt, network })
      else if (!principals.renew(principal.id, name, expiresAt)) throw removed()
      return { principal, key: logIn(principal.id) }
    },
    logIn,
    logOut({ id, role }, login) {
      const now = clock.now()
      if (role === 'instructor') principals.endOwnerLogin(login, now)
      else if (!principals.endLogin(login, id, now)) {
        if (role === 'viewer') principals.drop(id)
        else principals.leave(id, now)
        onLeft(id)
      }
      onLoggedOut(login)
    },
    holdsLogin: ({ role }, login) =>
      role === 'instructor' ? !principals.isEnded(login) : principals.findLogin(login) !== null,
    allowFrom: capacity.allowFrom,
    crowded: capacity.crowded,
    participants: () => principals.present('participant', clock.now()),
    remove(id) {
      const guest = principals.find(id)
      if (guest === null || guest.removedAt !== null) return false
      revoker.takeBack([id], guest.invitation === null ? [] : [guest.invitation])
      return true
    },
    revoke: (invitation) => revoker.takeBack(principals.joinedWith(invitation), [invitation]),
    close: revoker.close,
  }
}
