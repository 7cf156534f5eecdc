/** How people get in: invitations with a long code, and doors with a link and a short code, valid while they are open. */
import { epochMs, type EpochMs } from '@expresslane/shared/base/units'
import { LabError } from '@expresslane/shared/base/errors'
import type { Door, Invitation, NewInvitation } from '@expresslane/shared/wire/board'
import type { GuestRole } from '@expresslane/shared/wire/room'
import type { Store } from '../store/open.ts'
import type { InvitationRow } from '../store/people/invitations.ts'
import type { Doors } from './joining/doors.ts'
import type { People } from './people.ts'
import { hasHash, idOfSecret, newSecret, readTypedCode } from './secrets.ts'
import type { WrongKeys } from './wrong-keys.ts'

/** How long a link to another device of one's own is valid. */
const OWN_LINK_MS = 15 * 60_000
const HOUR_MS = 60 * 60_000

/** The people whom a code lets in. */
export type Admission =
  | {
      readonly kind: 'guest'
      readonly role: GuestRole
      readonly invitation: string | null
      readonly until: EpochMs | null
    }
  /** Somebody who is in the room, on another device. */
  | { readonly kind: 'again'; readonly principal: string }

export interface Entrance {
  /**
   * Looks up a code that somebody sent. A right code is never refused and never waits. A wrong code is answered late,
   * later for each different code from the same network. Wrong short codes are counted, and change the doors' short
   * codes.
   *
   * @throws LabError `workshop_off`, `code_invalid`, `too_many_attempts`
   */
  admit(code: string, network: string): Promise<Admission>
  /** @throws LabError `workshop_off` */
  invite(role: GuestRole, hours: number): NewInvitation
  /** Newest first. */
  invitations(): Invitation[]
  /** Revokes an invitation, and takes back the access of everybody who joined with it. @throws LabError `not_found` */
  revoke(id: string): void
  /**
   * A link for another device of a person, valid for minutes. It replaces the last link. @throws LabError
   * `workshop_off`
   */
  linkFor(principal: string, role: GuestRole): NewInvitation
  doors(): Door[]
  /** Opens a door with new codes, or closes it. @throws LabError `workshop_off` */
  setDoor(role: GuestRole, open: boolean): Door
  /** Gives the open doors new codes: somebody who was removed knows the old codes. */
  renewDoors(): void
}

interface Parts {
  readonly store: Pick<Store, 'invitations' | 'principals'>
  readonly people: People
  readonly wrongCodes: WrongKeys
  readonly doors: Doors
  readonly clock: { now(): EpochMs }
  /** Whether this server serves a room. */
  readonly workshop: boolean
  /** The origin under which the room reaches this server. */
  origin(): string
}

function codeInvalid(): LabError {
  return new LabError(
    'code_invalid',
    'This code is not valid.',
    'It has expired, was revoked, or was mistyped. Ask the instructor for the current one.',
  )
}

function workshopOff(): LabError {
  return new LabError(
    'workshop_off',
    'This server is not set up for a workshop.',
    'Start it with the option --workshop.',
    {
      remedyCommand: 'npm start -- --workshop',
    },
  )
}

function viewOf({ id, role, createdAt, expiresAt, revokedAt, joined }: InvitationRow): Invitation {
  return { id, role, createdAt, expiresAt, revokedAt, joined }
}

export function createEntrance({ store, people, wrongCodes, doors, clock, workshop, origin }: Parts): Entrance {
  function requireWorkshop(): void {
    if (!workshop) throw workshopOff()
  }

  function linkOf(role: GuestRole, code: string): string {
    return `${origin()}/${role === 'viewer' ? 'f' : 'j'}/${code}`
  }

  function doorOf(role: GuestRole): Door {
    const open = doors.codesOf(role)
    return open === null
      ? { role, code: null, link: null }
      : { role, code: open.typed, link: linkOf(role, open.linked) }
  }

  function admissionByLink(code: string): Admission | null {
    const id = idOfSecret(code)
    const found = id === null ? null : store.invitations.find(id)
    if (found === null || !hasHash(code, found.codeHash)) return null
    if (found.revokedAt !== null || found.expiresAt <= clock.now()) return null
    if (found.principal === null)
      return { kind: 'guest', role: found.role, invitation: found.id, until: found.expiresAt }
    return people.holds({ id: found.principal, role: found.role, name: '' })
      ? { kind: 'again', principal: found.principal }
      : null
  }

  function admissionByDoor(part: 'typed' | 'linked', given: string): Admission | null {
    const role = doors.matching(part, given)
    return role === null ? null : { kind: 'guest', role, invitation: null, until: null }
  }

  function make(role: GuestRole, principal: string | null, ms: number): NewInvitation {
    requireWorkshop()
    const { id, text, hash } = newSecret()
    const createdAt = clock.now()
    const expiresAt = epochMs.parse(createdAt + ms)
    const row = { id, role, codeHash: hash, principal, createdAt, expiresAt }
    store.invitations.add(row)
    return { invitation: viewOf({ ...row, revokedAt: null, joined: 0 }), link: linkOf(role, text) }
  }

  return {
    async admit(code, network) {
      requireWorkshop()
      const typed = readTypedCode(code)
      const admission =
        typed === null ? (admissionByLink(code) ?? admissionByDoor('linked', code)) : admissionByDoor('typed', typed)
      if (admission !== null) return admission
      // Nobody guesses a long code: only short ones are counted.
      if (typed !== null) doors.guessed()
      await wrongCodes.late(network, code)
      throw codeInvalid()
    },
    invite: (role, hours) => make(role, null, hours * HOUR_MS),
    invitations: () => store.invitations.all().map(viewOf),
    revoke(id) {
      const found = store.invitations.find(id)
      if (found === null || found.principal !== null) {
        throw new LabError('not_found', 'This invitation does not exist.', 'Reload the page to see the current ones.')
      }
      people.revoke(id)
    },
    linkFor(principal, role) {
      store.invitations.dropOwn(principal)
      return make(role, principal, OWN_LINK_MS)
    },
    doors: () => (['viewer', 'participant'] as const).map(doorOf),
    setDoor(role, open) {
      requireWorkshop()
      if (open) doors.open(role)
      else doors.close(role)
      return doorOf(role)
    },
    renewDoors: () => doors.renew(),
  }
}
