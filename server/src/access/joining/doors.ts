/** The doors of a workshop: an open door has a code for a link and a code to type. A restart closes all doors. */
import type { GuestRole } from '@expresslane/shared/wire/room'
import { newDoorCode, newTypedCode } from '../secrets.ts'
import { sameSecret } from '../token.ts'
import type { Timer } from '../wrong-keys.ts'

/** After so many wrong codes the typed codes are replaced. */
export const MOST_GUESSES = 100
/**
 * Codes that were typed wrong so often are replaced only once in this time. At this rate the chance to guess one of two codes
 * of 29 bits within a day is below 1 in 25,000.
 */
export const GUESSED_MS = 10 * 60_000

interface Codes {
  readonly linked: string
  /** Null for a while after it was guessed at too often. */
  readonly typed: string | null
}

export interface Doors {
  /** Opens a door with new codes. */
  open(role: GuestRole): void
  close(role: GuestRole): void
  /** New codes for all open doors: somebody who knows the present ones must not come in again. */
  renew(): void
  /** Null for a closed door. */
  codesOf(role: GuestRole): Codes | null
  /** The door that a code opens. */
  matching(part: keyof Codes, given: string): GuestRole | null
  /** Counts a wrong typed code. */
  guessed(): void
}

/** @param changed called when codes change by themselves */
export function createDoors(clock: Timer, changed: () => void): Doors {
  const doors = new Map<GuestRole, Codes>()
  let guesses = 0
  /** When the typed codes were last replaced because of guesses. */
  let replacedAt = Number.NEGATIVE_INFINITY
  /** Takes back that the typed codes come again. */
  let cancel = (): void => {}

  function open(role: GuestRole): void {
    doors.set(role, { linked: newDoorCode(), typed: newTypedCode() })
  }

  function setTyped(make: () => string | null): void {
    for (const [role, codes] of doors) doors.set(role, { ...codes, typed: make() })
    changed()
  }

  function replaceTyped(): void {
    replacedAt = clock.now()
    setTyped(newTypedCode)
  }

  /** A door that got a new code meanwhile keeps it. */
  function giveTyped(): void {
    replacedAt = clock.now()
    for (const [role, codes] of doors) if (codes.typed === null) doors.set(role, { ...codes, typed: newTypedCode() })
    changed()
  }

  return {
    open(role) {
      guesses = 0
      open(role)
    },
    close: (role) => void doors.delete(role),
    renew() {
      for (const role of doors.keys()) open(role)
      changed()
    },
    codesOf: (role) => doors.get(role) ?? null,
    matching(part, given) {
      // Each door is compared, whether or not a door before it fits.
      const fitting = [...doors].filter(([, codes]) => sameSecret(codes[part] ?? '', given))
      return fitting[0]?.[0] ?? null
    },
    guessed() {
      guesses += 1
      if (guesses < MOST_GUESSES) return
      guesses = 0
      // A clock that was set back does not make it longer.
      const wait = Math.min(GUESSED_MS, replacedAt + GUESSED_MS - clock.now())
      if (wait <= 0) return replaceTyped()
      setTyped(() => null)
      cancel()
      cancel = clock.after(wait, giveTyped)
    },
  }
}
