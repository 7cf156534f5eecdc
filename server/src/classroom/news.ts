/** Reports that the board changed, at most once a second: 30 participants cause many changes at once. */
import type { Clock } from '../runs/clock.ts'

export const NEWS_EVERY_MS = 1000

export interface News {
  /** Increases with every report. */
  revision(): number
  /** Something changed: reported at once, or when a second has passed since the last report. */
  note(): void
  /** @returns unsubscribes */
  subscribe(listener: (revision: number) => void): () => void
}

export function createNews(clock: Clock): News {
  const listeners = new Set<(revision: number) => void>()
  let revision = 1
  let resting = false
  let pending = false

  function report(): void {
    pending = false
    resting = true
    revision += 1
    for (const listener of listeners) listener(revision)
    clock.after(NEWS_EVERY_MS, () => {
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
