/** Codes and people without a server: a clock that tests move, and a store. */
import { LabError } from '@expresslane/shared/base/errors'
import { createDoors } from '../../src/access/joining/doors.ts'
import { createEntrance, type Admission, type Entrance } from '../../src/access/entrance.ts'
import type { Joining } from '../../src/access/joining/capacity.ts'
import { createPeople, type People } from '../../src/access/people.ts'
import { createWrongKeys } from '../../src/access/wrong-keys.ts'
import type { Store } from '../../src/store/open.ts'
import { testClock, type TestClock } from './clock.ts'
import { openRig } from './deps.ts'

export const HERE = '192.0.2.1'
export const HOUR = 60 * 60_000

export interface Room {
  readonly clock: TestClock
  readonly store: Store
  readonly entrance: Entrance
  readonly people: Omit<People, 'join'> & {
    join(joining: Omit<Joining, 'network'> & { network?: string }): ReturnType<People['join']>
  }
  /** How often the codes of the doors changed by themselves. */
  readonly changes: () => number
  readonly removed: string[]
  /** The ids of those with an open page. */
  readonly online: Set<string>
  /** Sends a code, and lets as much time pass as a wrong one has to wait. */
  send(code: string, address?: string): Promise<Admission>
  codeOf(link: string): string
}

export function room(limit = 2): Room {
  const { store } = openRig().deps
  const clock = testClock()
  const removed: string[] = []
  const online = new Set<string>()
  let changes = 0
  const people = createPeople({
    store,
    clock,
    limit,
    viewers: 3,
    isOnline: (id) => online.has(id),
    onRemoved: (id) => removed.push(id),
    onLoggedOut: () => {},
    onLeft: () => {},
  })
  const entrance = createEntrance({
    store,
    people,
    clock,
    wrongCodes: createWrongKeys(clock),
    doors: createDoors(clock, () => (changes += 1)),
    workshop: true,
    origin: () => 'https://room.example',
  })
  return {
    clock,
    store,
    entrance,
    people: { ...people, join: (joining) => people.join({ network: HERE, ...joining }) },
    changes: () => changes,
    removed,
    online,
    send(code, address = HERE) {
      const answer = entrance.admit(code, address)
      clock.advance(4000)
      return answer
    },
    codeOf: (link) => link.split('/').at(-1) ?? '',
  }
}

export const codeOfError = async (answer: Promise<unknown>): Promise<string> => {
  try {
    await answer
  } catch (error) {
    if (error instanceof LabError) return error.code
  }
  return 'none'
}
