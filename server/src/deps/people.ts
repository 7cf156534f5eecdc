/** The people on a server: who joined, who drives a testbed, and the talk that they follow. */
import { streamClose } from '@expresslane/shared/wire/stream'
import { createPeople, type People } from '../access/people.ts'
import { createReach, type Reach } from '../access/reach.ts'
import { createDriving, type Driving } from '../classroom/driving.ts'
import { createMessages, type Messages } from '../classroom/messages.ts'
import type { Presence } from '../classroom/presence.ts'
import { createRoom, type Room } from '../classroom/room.ts'
import { createPresenting, type Presenting } from '../present/presenting.ts'
import { createRehearsals, type Rehearsals } from '../present/rehearsals.ts'
import { recordedText, recordSession } from '../replay/record.ts'
import type { Base } from './base.ts'
import type { Data } from './data.ts'
import type { Running } from './running.ts'

export interface InRoom {
  readonly presence: Presence
  readonly messages: Messages
  readonly driving: Driving
  readonly presenting: Presenting
  /** The people who joined. */
  readonly people: People
  readonly room: Room
  readonly rehearsals: Rehearsals
  readonly reach: Reach
}

export function openRoom(base: Base, data: Data, running: Running, presence: Presence): InRoom {
  const { clock, config, labs, findLab, onError } = base
  const { store, log, recordings } = data
  const { coordinator, status } = running
  const messages = createMessages(clock)
  const driving = createDriving(clock, messages)
  const presenting = createPresenting({ store, log, findLab, presence, coordinator, status, driving, clock })

  function leave(id: string): void {
    driving.leave(id)
    presenting.withdraw(id)
    room.leave(id).catch(onError)
  }

  const people = createPeople({
    store,
    clock,
    limit: config.participants,
    isOnline: (id) => presence.isOnline(id),
    onRemoved(id) {
      presence.close(id, streamClose.revoked, 'access was revoked')
      leave(id)
    },
    onLoggedOut: (login) => presence.closeLogin(login, streamClose.revoked, 'logged out'),
    onLeft: leave,
  })
  const room = createRoom({
    participants: () => people.participants(),
    crowded: () => people.crowded(),
    presence,
    store,
    log,
    coordinator,
    labs,
    clock,
    limit: config.participants,
  })
  const rehearsals = createRehearsals({
    ...data,
    ...running,
    findLab,
    clock,
    record: async (id, name) => recordedText(await recordSession({ store, findLab }, id, name)),
    keep: async (text) => (await recordings.add(Buffer.from(text), clock.now())).id,
    onError,
  })
  const reach = createReach(store, presenting.presented)
  return { presence, messages, driving, presenting, people, room, rehearsals, reach }
}
