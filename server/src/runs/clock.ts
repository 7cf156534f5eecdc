import { epochMs, type EpochMs } from '@expresslane/shared/measure/units'

/** Time, handed in so that tests own it. */
export interface Clock {
  now(): EpochMs
  /** Calls back once after `ms`, and holds no process open for it. @returns takes the call back */
  after(ms: number, callback: () => void): () => void
}

export const systemClock: Clock = {
  now: () => epochMs.parse(Date.now()),
  after(ms, callback) {
    const timer = setTimeout(callback, ms).unref()
    return () => clearTimeout(timer)
  },
}
