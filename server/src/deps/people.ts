/** The people on a server: who joined, who drives a testbed, and the talk that they follow. */
import { streamClose } from '@expresslane/shared/wire/stream'
import { createPeople } from '../access/people.ts'
import { createReach } from '../access/reach.ts'
import { createDriving } from '../classroom/driving.ts'
import { createHands } from '../classroom/hands.ts'
import { createMessages } from '../classroom/messages.ts'
import type { Presence } from '../classroom/presence.ts'
import { createRoom } from '../classroom/room.ts'
import { createPresenting } from '../present/presenting.ts'
import { createRehearsals } from '../present/rehearsals.ts'
import { recordedText, recordSession } from '../replay/record.ts'
import type { Base } from './base.ts'
import type { Data } from './data.ts'
import type { Running } from './running.ts'

export type InRoom = ReturnType<typeof openRoom>

/** Opens the parts in which people meet: their access, the room, the talk. */
export function openRoom(base: Base, data: Data, running: Running, presence: Presence) {
  const { clock, config, labs, findLab, onError } = base
  const { store, log, runningRuns, recordings } = data
  const { queue, scheduler, status, terminals } = running
  const messages = createMessages(clock)
  const driving = createDriving(clock, messages)
  const presenting = createPresenting({ store, log, findLab, presence, scheduler, status, driving, clock })

  function leave(id: string): void {
    driving.leave(id)
    presenting.withdraw(id)
    hands.leave(id).catch(onError)
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
  const participants = (): ReturnType<typeof people.participants> => people.participants()
  const hands = createHands({ store, log, presence, terminals, clock, participants })
  const room = createRoom({
    participants,
    crowded: () => people.crowded(),
    presence,
    store,
    log,
    queue,
    scheduler,
    labs,
    clock,
    limit: config.participants,
    idleMs: config.idleMs,
  })
  hands.subscribe(() => room.note())
  const rehearsals = createRehearsals({
    ...data,
    ...running,
    findLab,
    clock,
    record: async (id, name) => recordedText(await recordSession({ store, findLab }, id, name)),
    keep: async (text) => (await recordings.add(Buffer.from(text), clock.now())).id,
    onError,
  })
  const reach = createReach(store, runningRuns, presenting.presented)
  return { presence, messages, driving, presenting, people, hands, room, rehearsals, reach }
}
