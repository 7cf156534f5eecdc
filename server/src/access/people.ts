/** People who joined this server: their logins, and taking their access back. */
import { epochMs, type EpochMs } from '@expresslane/shared/base/units'
import type { GuestRole } from '@expresslane/shared/wire/room'
import { LabError } from '@expresslane/shared/base/errors'
import type { Store } from '../store/open.ts'
import type { Guest } from '../store/people/principals.ts'
import { looksLike } from './joining/look-alikes.ts'
import { linkOwner, type Principal } from './principal.ts'
import { hasHash, idOfSecret, newId, newSecret } from './secrets.ts'

/** A person stays logged in for a day at least, and as long as the invitation is valid that let them in. */
const LOGIN_MS = 24 * 60 * 60_000
/** Between two attempts to store what could not be stored, and to make the reserve whole, in milliseconds. */
const AGAIN_MS = 1000
/** Followers cost a row and a socket each. */
export const MOST_VIEWERS = 5000

export interface Joining {
  readonly role: GuestRole
  readonly name: string
  /** The id of the invitation; null for a door's code. */
  readonly invitation: string | null
  /** When the invitation expires; null for a door's code. */
  readonly until: EpochMs | null
  /** From where they join: `clientNetwork`. */
  readonly network: string
  /** The person whose login in this browser ends with it: their seat and name are free. @defaultValue nobody's */
  readonly instead?: string | undefined
}

export interface People {
  /** The principal with a login key, from a cookie or a bearer token; null for an unknown one. */
  withKey(key: string): Principal | null
  /** Whether the access of a principal holds. True for those who did not join: the instructor. */
  holds(principal: Principal): boolean
  /** @returns the person and the key of their first login. @throws LabError `room_full`, `name_taken` */
  join(joining: Joining): { readonly principal: Principal; readonly key: string }
  /** A login on another device. @returns its key */
  logIn(principal: string): string
  /** Ends one login, with its streams. Somebody without another one has left, and their results stay. */
  logOut(principal: Principal, login: string): void
  /** Whether a login of a person has not ended. */
  holdsLogin(principal: Principal, login: string): boolean
  /** Lets more people join from a network than its part of the seats. */
  allowFrom(network: string): void
  /** The networks from which several people joined, unless more were allowed in. */
  crowded(): Crowded[]
  /** Participants with access, in the order in which they joined. */
  participants(): Guest[]
  /**
   * Takes back the access of a person and closes their streams, also while nothing can be stored. The invitation that they used
   * lets nobody else in; who joined with it stays.
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

/** A network with several people. */
export interface Crowded {
  readonly network: string
  readonly people: number
  /** How many can join from it before an instructor allows more. */
  readonly most: number
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
  /** Called when a login has ended. */
  onLoggedOut(login: string): void
  /** Called when a person has logged out of their last browser. */
  onLeft(id: string): void
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

function nameTaken(): LabError {
  return new LabError(
    'name_taken',
    'Somebody in this room has this name, or one that looks the same.',
    'Choose another name: add your surname or a number.',
  )
}

function tooManyFrom(most: number): LabError {
  return new LabError(
    'room_full',
    `${most} people joined from your network. More need the instructor’s consent.`,
    'Ask the instructor to let more people in from there: the Room page has a button. Then try again.',
  )
}

/** So long somebody who left counts among those who joined from their network. */
const LEFT_MS = 60 * 60_000
/** From so many on, the instructor sees that people share an address. */
const SEVERAL = 3

export function createPeople(parts: Parts): People {
  const {
    store: { principals, revocations },
    clock,
    limit,
    viewers = MOST_VIEWERS,
    isOnline,
    onRemoved,
    onLoggedOut,
    onLeft,
  } = parts
  /** A whole room can share one address, but one machine alone must not take all seats unseen. */
  const mostFrom = Math.max(SEVERAL, Math.ceil(limit / 2))
  const allowed = new Set<string>()
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
  function makeRoom({ role, name, network, instead }: Joining): void {
    const now = clock.now()
    if (role === 'participant') {
      const others = principals.present(role, now).filter(({ id }) => id !== instead)
      if (others.length >= limit) throw roomFull(limit)
      if ([linkOwner, ...others].some((other) => looksLike(name, other.name))) throw nameTaken()
      const near = others.filter((other) => other.network === network)
      // Somebody who leaves and comes again is a new person each time.
      const came = near.length + principals.leftFrom(network, epochMs.parse(now - LEFT_MS))
      if (came >= mostFrom && !allowed.has(network)) throw tooManyFrom(mostFrom)
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
    withKey(key) {
      const id = idOfSecret(key)
      const login = id === null ? null : principals.findLogin(id)
      if (login === null || !hasHash(key, login.keyHash)) return null
      const guest = present(login.principal)
      return guest === null ? null : { id: guest.id, role: guest.role, name: guest.name }
    },
    holds: ({ id }) => principals.find(id) === null || present(id) !== null,
    join(joining) {
      makeRoom(joining)
      const { role, name, invitation, until, network } = joining
      const joinedAt = clock.now()
      const expiresAt = epochMs.parse(Math.max(joinedAt + LOGIN_MS, until ?? 0))
      const principal = { id: newId(), role, name }
      principals.add({ ...principal, invitation, joinedAt, expiresAt, network })
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
    allowFrom: (network) => void allowed.add(network),
    crowded() {
      const networks = Map.groupBy(principals.present('participant', clock.now()), ({ network }) => network)
      return [...networks].flatMap(([network, people]) =>
        network === null || people.length < SEVERAL || allowed.has(network)
          ? []
          : [{ network, people: people.length, most: mostFrom }],
      )
    },
    participants: () => principals.present('participant', clock.now()),
    remove(id) {
      const guest = principals.find(id)
      if (guest === null || guest.removedAt !== null) return false
      takeBack([id], guest.invitation === null ? [] : [guest.invitation])
      return true
    },
    revoke: (invitation) => takeBack(principals.joinedWith(invitation), [invitation]),
    close() {
      stop?.()
      stop = () => {}
    },
  }
}
