/** Sends a client the stored events that it does not have yet. */
import type { LoggedEvent } from '@expresslane/shared/run/events'
import { letOthers } from '../workers/turns.ts'
import { createStoredEncoder, type EncodeStored } from './encode.ts'

/** Events that are read and sent at once. Most take some microseconds; an event with a reading of the path takes 0.2 ms. */
export const CHUNK = 50

export interface Replayed {
  /** The stored events after `seq`, in order, at most `limit`. */
  since(seq: number, limit: number): LoggedEvent[]
  /** Resolves when the client has taken the encoded events, or is gone. */
  send(events: readonly LoggedEvent[], encode: EncodeStored): Promise<void>
  isOpen(): boolean
}

/**
 * Sends in chunks, as fast as the client takes them, with a turn for others after each: the system takes most data at
 * once, so waiting for the client alone gives none.
 *
 * @param after the last `seq` that the client has
 * @param ended called in the same turn in which no more events are found, so a subscription made in it misses none
 */
export async function replay(
  after: number,
  { since, send, isOpen }: Replayed,
  ended: (seq: number) => void,
): Promise<void> {
  const encode = createStoredEncoder()
  let sent = after
  for (let events = since(sent, CHUNK); events.length > 0 && isOpen(); events = since(sent, CHUNK)) {
    sent = events.at(-1)?.seq ?? sent
    await send(events, encode)
    await letOthers()
  }
  ended(sent)
}
