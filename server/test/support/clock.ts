/** A clock that only moves when a test moves it. */
import { epochMs } from '@expresslane/shared/base/units'
import type { Clock } from '../../src/runs/clock.ts'

export interface TestClock extends Clock {
  /** Advances by `ms`, and calls back everything that is due, in order. */
  advance(ms: number): void
}

export function testClock(): TestClock {
  let now = Date.UTC(2026, 0, 1)
  const due = new Set<{ at: number; callback: () => void }>()
  return {
    now: () => epochMs.parse(now),
    follow: () => {},
    after(ms, callback) {
      const one = { at: now + ms, callback }
      due.add(one)
      return () => due.delete(one)
    },
    advance(ms) {
      const end = now + ms
      for (;;) {
        const next = [...due].filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at)[0]
        if (next === undefined) break
        due.delete(next)
        now = next.at
        next.callback()
      }
      now = end
    },
  }
}

/** Lets time pass until a promise is settled. */
export async function passing<T>(clock: TestClock, promise: Promise<T>, stepMs = 250): Promise<T> {
  let settled = false
  const stop = (): void => {
    settled = true
  }
  promise.then(stop, stop)
  for (;;) {
    await new Promise((resolve) => setImmediate(resolve))
    if (settled) return promise
    clock.advance(stepMs)
  }
}
