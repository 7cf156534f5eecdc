/** Messages to people: delivered to the pages that are open, and not kept. */
import type { StreamFrame } from '@expresslane/shared/wire/stream'
import type { MessageBody } from '@expresslane/shared/wire/board'
import type { Principal } from '../access/principal.ts'
import type { Clock } from '../runs/clock.ts'

export type MessageFrame = Extract<StreamFrame, { type: 'message' }>

export interface Messages {
  /** To one person, or to all participants. */
  send(message: MessageBody): void
  /** @returns unsubscribes */
  subscribe(person: Principal, listener: (frame: MessageFrame) => void): () => void
}

export function createMessages(clock: Clock): Messages {
  const subscribers = new Set<{ readonly person: Principal; listener(frame: MessageFrame): void }>()
  return {
    send({ to, text }) {
      const frame: MessageFrame = { type: 'message', text, at: clock.now() }
      for (const { person, listener } of subscribers) {
        if (to === null ? person.role === 'participant' : to === person.id) listener(frame)
      }
    },
    subscribe(person, listener) {
      const subscriber = { person, listener }
      subscribers.add(subscriber)
      return () => subscribers.delete(subscriber)
    },
  }
}
