/** Reports changes, at most so often: a room's participants cause many at once. */
import type { Clock } from '../runs/clock.ts'

/** The shortest time between two reports of the board, in milliseconds. */
export const NEWS_EVERY_MS = 1000

export interface News {
  /** Increases with every report. */
  revision(): number
  /** Something changed: reported at once, or when the time has passed since the last report. */
  note(): void
  /** @returns unsubscribes */
  subscribe(listener: (revision: number) => void): () => void
}

/** @param everyMs the shortest time between two reports */
export function createNews(clock: Clock, everyMs = NEWS_EVERY_MS): News {
  const listeners = new Set<(revision: number) => void>()
  let revision = 1
  let resting = false
  let pending = false

  function report(): void {
    pending = false
    resting = true
    revision += 1
    for (const listener of listeners) listener(revision)
    clock.after(everyMs, () => {
      resting = false
      if (pending) report()
    })
  }

  return {
    revision: () => revision,
    note() {
      pending = true
      if (!resting) report()
    },
    subscribe(listener) {
      const subscribed = (at: number): void => listener(at)
      listeners.add(subscribed)
      return () => listeners.delete(subscribed)
    },
  }
}
