/** A place that is opened when it is needed, one at a time, and ended. */
import type { Place } from './place.ts'

/** Shows people the reason for a wait. */
export type Say = (words: string) => void

export interface Opened<P extends Place> {
  /** The open place; opens one if there is none. */
  running(): Promise<P>
  /**
   * The open place; opens one if there is none.
   *
   * @param say called with what the opening waits for
   * @throws the errors of the opening; `signal.reason`: an opening that nobody else waits for has ended by then
   */
  wake(signal: AbortSignal, say?: Say): Promise<P>
  /** True if no place is open. */
  isAtRest(): boolean
  /** Ends the place, or its opening. */
  end(): Promise<void>
}

/**
 * @param open opens a place; rejects with `signal.reason` when it is ended meanwhile
 * @param closed the reason of an opening that is ended
 */
export function createOpened<P extends Place>(
  open: (signal: AbortSignal, say: Say) => Promise<P>,
  closed: () => Error,
): Opened<P> {
  let opening: Promise<P> | null = null
  let opened: P | null = null
  let waiting = 0
  const listeners = new Set<Say>()
  const sayToAll: Say = (words) => {
    for (const listener of listeners) listener(words)
  }
  /** Ends an opening that is under way. */
  let closing = new AbortController()

  async function openOnce(): Promise<P> {
    opened = await open(closing.signal, sayToAll)
    return opened
  }

  async function openedOrOpening(): Promise<P> {
    const { signal } = closing
    const present = opening
    if (present !== null) {
      const place = await present.catch(() => null)
      if (place !== null && !place.gone.aborted) return place
      // Who waited for an opening that was ended must not open again: nobody would end that.
      signal.throwIfAborted()
      if (opening === present) opening = null
    }
    opening ??= openOnce()
    return await opening
  }

  async function running(): Promise<P> {
    waiting++
    try {
      return await openedOrOpening()
    } finally {
      waiting--
    }
  }

  const isAtRest = (): boolean => opened === null || opened.gone.aborted

  async function end(): Promise<void> {
    const present = opening
    opening = null
    closing.abort(closed())
    closing = new AbortController()
    await (await present?.catch(() => null))?.close()
  }

  return {
    running,
    async wake(signal, say) {
      signal.throwIfAborted()
      // Two callers can pass the same one.
      const listener: Say = (words) => say?.(words)
      listeners.add(listener)
      const aborted = Promise.withResolvers<never>()
      const abort = (): void => aborted.reject(signal.reason)
      signal.addEventListener('abort', abort, { once: true })
      waiting++
      try {
        return await Promise.race([openedOrOpening(), aborted.promise])
      } finally {
        waiting--
        listeners.delete(listener)
        signal.removeEventListener('abort', abort)
        if (signal.aborted && waiting === 0 && isAtRest()) await end()
      }
    },
    isAtRest,
    end,
  }
}
