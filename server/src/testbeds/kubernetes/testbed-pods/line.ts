/** Who waits for a node, in the order of arrival. */
import { setTimeout } from 'node:timers'

export interface Line {
  /**
   * Joins at the end.
   *
   * @param place called at once, and later when the place has changed: 1 is next
   * @returns leaves the line
   */
  join(place: (number: number) => void): () => void
}

/** Each departure moves everybody behind it, and each move is an event: a thousand who wait hear of many moves at once. */
const EVERY_MS = 2000

/** @param later calls back after a while */
export function createLine(later = (work: () => void): void => void setTimeout(work, EVERY_MS).unref()): Line {
  const waiting = new Map<symbol, { readonly place: (number: number) => void; shown: number }>()
  let isDue = false

  function tell(): void {
    isDue = false
    for (const [at, one] of [...waiting.values()].entries()) {
      if (one.shown === at + 1) continue
      one.shown = at + 1
      one.place(one.shown)
    }
  }

  return {
    join(place) {
      const key = Symbol('waits')
      const one = { place, shown: waiting.size + 1 }
      waiting.set(key, one)
      place(one.shown)
      return () => {
        if (!waiting.delete(key) || isDue) return
        isDue = true
        later(tell)
      }
    },
  }
}
