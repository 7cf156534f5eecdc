/** Tells open pages when the store takes no writes, and when it takes them again. */
import type { Problem } from '@expresslane/shared/base/errors'
import type { Clock } from '../runs/clock.ts'
import type { Store } from '../store/open.ts'

/** Another process's lock is over sooner: that is no trouble yet. */
const LOOK_MS = 1_000

export interface StoreTrouble {
  /** Why nothing can be stored; null if it can. */
  current(): Problem | null
  /** Calls back when it changes. @returns unsubscribes */
  subscribe(listener: (problem: Problem | null) => void): () => void
  close(): void
}

/** Looks after a failure, and again until there is none: while all is well it does nothing. */
export function watchStore(store: Pick<Store, 'problem' | 'onFailure'>, clock: Clock): StoreTrouble {
  const listeners = new Set<(problem: Problem | null) => void>()
  let current: Problem | null = null
  let stop: (() => void) | null = null

  function look(): void {
    stop = null
    const problem = store.problem()?.toProblem() ?? null
    if (problem !== null) lookSoon()
    if (problem?.code === current?.code) return
    current = problem
    for (const listener of listeners) listener(current)
  }

  function lookSoon(): void {
    stop ??= clock.after(LOOK_MS, look)
  }

  const unsubscribe = store.onFailure(lookSoon)
  return {
    current: () => current,
    subscribe(listener) {
      const subscribed = (problem: Problem | null): void => listener(problem)
      listeners.add(subscribed)
      return () => listeners.delete(subscribed)
    },
    close() {
      unsubscribe()
      stop?.()
    },
  }
}
