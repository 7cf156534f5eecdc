/** People who joined this server: their logins, and taking their access back. */
import { epochMs, type EpochMs } from '@expresslane/shared/measure/units'
import type { GuestRole } from '@expresslane/shared/wire/room'
import { LabError } from '@expresslane/shared/wire/errors'
import type { Store } from '../store/open.ts'
import type { Guest } from '../store/people/principals.ts'
import type { Principal } from './principal.ts'
import { hasHash, idOfSecret, newId, newSecret } from './secrets.ts'

/** A person stays logged in for a day at least, and as long as the invitation is valid that let them in. */
const LOGIN_MS = 24 * 60 * 60_000
/** Between two attempts to store what could not be stored, and to make the reserve whole, in milliseconds. */
const AGAIN_MS = 1000
/** Followers cost a row and a socket each. */
const MOST_VIEWERS = 5000

export interface Joining {
  readonly role: GuestRole
  readonly name: string
  /** The id of the invitation; null for a door's code. */
  readonly invitation: string | null
  /** When the invitation expires; null for a door's code. */
  readonly until: EpochMs | null
}

export interface People {
  /** The principal with a login key, from a cookie or a bearer token; null for an unknown one. */
  withKey(key: string): Principal | null
  /** Whether the access of a principal holds. True for those who did not join: the instructor. */
  holds(principal: Principal): boolean
  /** @returns the person and the key of their first login. @throws LabError `room_full` */
  join(joining: Joining): { readonly principal: Principal; readonly key: string }
  /** A login on another device. @returns its key */
  logIn(principal: string): string
  /** Participants with access, in the order in which they joined. */
  participants(): Guest[]
  /**
   * Takes back the access of a person and closes their streams, also while nothing can be stored.
   *
   * @returns false for an unknown or removed one
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
  /** Whether a page of a person is connected. */
  isOnline(id: string): boolean
  /** The most viewers; for tests. */
  readonly viewers?: number
  /** Called when the access of a person was taken back. */
  onRemoved(id: string): void
}

function roomFull(most: number): LabError {
  return new LabError(
    'room_full',
    `This room is full: it has ${most} people.`,
    'Ask the instructor to remove somebody, or to start the server with a larger EXPRESSLANE_PARTICIPANTS.',
  )
}

function tooManyFollow(most: number): LabError {
  return new LabError(
    'room_full',
    `${most} people follow this talk: no more can.`,
    'Look at the screen in the room, or try again when somebody has left.',
  )
}

export function createPeople(parts: Parts): People {
  const {
    store: { principals, revocations },
    clock,
    limit,
    viewers = MOST_VIEWERS,
    isOnline,
    onRemoved,
  } = parts
  principals.forget(clock.now())
  let stop: (() => void) | null = null

  function present(id: string): Guest | null {
    const guest = principals.find(id)
    return guest === null || guest.removedAt !== null || guest.expiresAt <= clock.now() ? null : guest
  }

  function logIn(principal: string): string {
    const { id, text, hash } = newSecret()
    principals.addLogin({ id, principal, keyHash: hash, madeAt: clock.now() })
    return text
  }

  /** Everybody who opens a link becomes a viewer, also a program that only looks at it: those make room for others. */
  function makeRoom(role: GuestRole): void {
    const now = clock.now()
    if (role === 'participant') {
      if (principals.count(role, now) >= limit) throw roomFull(limit)
    } else if (principals.count(role, now) >= viewers) {
      const gone = principals.present(role, now).find(({ id }) => !isOnline(id))
      if (gone === undefined) throw tooManyFollow(viewers)
      principals.drop(gone.id)
    }
  }

  function tend(): void {
    stop ??= clock.after(AGAIN_MS, () => {
      stop = null
      if (!revocations.settle() || !revocations.restore()) tend()
    })
  }

  /** In memory first: nothing that fails comes before the closed streams. */
  function takeBack(persons: readonly string[], invitation: readonly string[] = []): void {
    revocations.add([...invitation, ...persons], clock.now())
    for (const id of persons) onRemoved(id)
    revocations.settle()
    tend()
  }

  tend()
  return {
    withKey(key) {
      const id = idOfSecret(key)
      const login = id === null ? null : principals.findLogin(id)
      if (login === null || !hasHash(key, login.keyHash)) return null
      const guest = present(login.principal)
      return guest === null ? null : { id: guest.id, role: guest.role, name: guest.name }
    },
    holds: ({ id }) => principals.find(id) === null || present(id) !== null,
    join({ role, name, invitation, until }) {
      makeRoom(role)
      const joinedAt = clock.now()
      const expiresAt = epochMs.parse(Math.max(joinedAt + LOGIN_MS, until ?? 0))
      const principal = { id: newId(), role, name }
      principals.add({ ...principal, invitation, joinedAt, expiresAt })
      return { principal, key: logIn(principal.id) }
    },
    logIn,
    participants: () => principals.present('participant', clock.now()),
    remove(id) {
      const guest = principals.find(id)
      if (guest === null || guest.removedAt !== null) return false
      takeBack([id])
      return true
    },
    revoke: (invitation) => takeBack(principals.joinedWith(invitation), [invitation]),
    close() {
      stop?.()
      stop = () => {}
    },
  }
}
