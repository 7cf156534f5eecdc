/**
 * Sends events to followers in batches. All followers read the same, so a batch is encoded once. A batch costs one
 * system call per follower, and during a measurement on this machine these calls take time from the measurement:
 * then batches are sent less often.
 */
import type { LoggedEvent } from '@expresslane/shared/run/events'
import type { Clock } from '../runs/clock.ts'
import { encodeEvents } from './encode.ts'

/** The shortest time between two batches. Below the 100 ms that a delivery may take. */
export const BEAT_MS = 50
/** While this machine measures. Followers may be 250 ms late. */
export const MEASURING_BEAT_MS = 200

/** @param data the encoded frame of `events` */
export type SendBatch = (data: Buffer, events: readonly LoggedEvent[]) => void

export interface Batches {
  /** Adds a receiver, which gets the events that are added from now on. @returns removes it */
  join(send: SendBatch): () => void
  /** Adds an event. It is sent at once when the last batch is long enough ago. */
  add(logged: LoggedEvent): void
  close(): void
}

/** @param measuring returns whether something is measured on this machine now */
export function createBatches(clock: Clock, measuring: () => boolean): Batches {
  const receivers = new Set<SendBatch>()
  let pending: LoggedEvent[] = []
  let sentAt = Number.NEGATIVE_INFINITY
  let takeBack: (() => void) | null = null

  function flush(): void {
    takeBack?.()
    takeBack = null
    if (pending.length === 0) return
    sentAt = clock.now()
    const events = pending
    pending = []
    const data = encodeEvents(events)
    for (const send of receivers) send(data, events)
  }

  return {
    join(send) {
      // The events so far are for the other receivers: the new receiver has them from its replay.
      flush()
      const receiver: SendBatch = (data, events) => send(data, events)
      receivers.add(receiver)
      return () => receivers.delete(receiver)
    },
    add(logged) {
      if (receivers.size === 0) return
      pending.push(logged)
      if (takeBack !== null) return
      const beat = measuring() ? MEASURING_BEAT_MS : BEAT_MS
      // At most one beat, also when the system's clock was set back.
      const wait = Math.min(beat, sentAt + beat - clock.now())
      if (wait <= 0) flush()
      else takeBack = clock.after(wait, flush)
    },
    close() {
      takeBack?.()
      takeBack = null
      receivers.clear()
      pending = []
    },
  }
}
