/** The capacity of a room: how many people fit, from how many networks, and with which names. */
import { LabError } from '@expresslane/shared/base/errors'
import { epochMs, type EpochMs } from '@expresslane/shared/base/units'
import type { GuestRole } from '@expresslane/shared/wire/room'
import type { Store } from '../../store/open.ts'
import { linkOwner } from '../principal.ts'
import { looksLike } from './look-alikes.ts'

/** Followers cost a row and a socket each. */
export const MOST_VIEWERS = 5000

export interface Joining {
  readonly role: GuestRole
  readonly name: string
  /** The id of the invitation; null for a door's code. */
  readonly invitation: string | null
  /** When the invitation expires; null for a door's code. */
  readonly until: EpochMs | null
  /** From where they join: `clientNetwork`. Null for a person whom a learning platform knows and sends. */
  readonly network: string | null
  /** The person who they were before. @defaultValue somebody new */
  readonly again?: string | undefined
  /** The person whose login in this browser ends with it: their seat and name are free. @defaultValue nobody's */
  readonly instead?: string | undefined
}

/** A network with several people. */
export interface Crowded {
  readonly network: string
  readonly people: number
  /** How many can join from it before an instructor allows more. */
  readonly most: number
}

export interface Capacity {
  /** Checks that there is room for somebody, and makes it for viewers. @throws LabError `room_full`, `name_taken` */
  require(joining: Joining): void
  /** Lets more people join from a network than its part of the seats. */
  allowFrom(network: string): void
  /** The networks from which several people joined, unless more were allowed in. */
  crowded(): Crowded[]
}

interface Parts {
  readonly principals: Store['principals']
  readonly clock: { now(): EpochMs }
  /** The most participants. */
  readonly limit: number
  /** The most viewers. */
  readonly viewers: number
  /** True while at least one page of this person is connected. */
  isOnline(id: string): boolean
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

/** How long somebody who left counts among the people who joined from their network. */
const LEFT_MS = 60 * 60_000
/** How many from one network it takes until the instructor sees that people share an address. */
const SEVERAL = 3

export function createCapacity({ principals, clock, limit, viewers, isOnline }: Parts): Capacity {
  /** A whole room can share one address, but one machine alone must not take all seats unseen. */
  const mostFrom = Math.max(SEVERAL, Math.ceil(limit / 2))
  const allowed = new Set<string>()

  function requireSeat({ name, network, again, instead }: Joining, now: EpochMs): void {
    const others = principals.present('participant', now).filter(({ id }) => id !== instead && id !== again)
    if (others.length >= limit) throw roomFull(limit)
    if ([linkOwner, ...others].some((other) => looksLike(name, other.name))) throw nameTaken()
    if (network === null) return
    const near = others.filter((other) => other.network === network)
    // Somebody who leaves and comes again is a new person each time.
    const came = near.length + principals.leftFrom(network, epochMs.parse(now - LEFT_MS))
    if (came >= mostFrom && !allowed.has(network)) throw tooManyFrom(mostFrom)
  }

  /** Everybody who opens a link becomes a viewer, even a program that only looks. Such viewers make room for others. */
  function makeRoomToFollow(now: EpochMs): void {
    if (principals.count('viewer', now) < viewers) return
    const gone = principals.present('viewer', now).find(({ id }) => !isOnline(id))
    if (gone === undefined) throw tooManyFollow(viewers)
    principals.drop(gone.id)
  }

  return {
    require(joining) {
      const now = clock.now()
      if (joining.role === 'participant') requireSeat(joining, now)
      else makeRoomToFollow(now)
    },
    allowFrom: (network) => void allowed.add(network),
    crowded() {
      const networks = Map.groupBy(principals.present('participant', clock.now()), ({ network }) => network)
      return [...networks].flatMap(([network, people]) =>
        network === null || people.length < SEVERAL || allowed.has(network)
          ? []
          : [{ network, people: people.length, most: mostFrom }],
      )
    },
  }
}
