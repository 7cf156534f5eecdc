/** The instructor's messages to participants: delivered to the pages that are open, and not kept. */
import type { StreamFrame } from '@expresslane/shared/wire/protocol'
import type { MessageBody } from '@expresslane/shared/wire/room'
import type { Clock } from '../runs/clock.ts'

export type MessageFrame = Extract<StreamFrame, { type: 'message' }>

export interface Messages {
  /** To one participant, or to all. */
  send(message: MessageBody): void
  /** @returns unsubscribes */
  subscribe(participant: string, listener: (frame: MessageFrame) => void): () => void
}

export function createMessages(clock: Clock): Messages {
  const subscribers = new Set<{ readonly id: string; listener(frame: MessageFrame): void }>()
  return {
    send({ to, text }) {
      const frame: MessageFrame = { type: 'message', text, at: clock.now() }
      for (const { id, listener } of subscribers) if (to === null || to === id) listener(frame)
    },
    subscribe(id, listener) {
      const subscriber = { id, listener }
      subscribers.add(subscriber)
      return () => subscribers.delete(subscriber)
    },
  }
}
