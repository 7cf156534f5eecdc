import { epochMs, type EpochMs } from '@expresslane/shared/measure/units'

/** The clock, passed in so that tests can control time. */
export interface Clock {
  now(): EpochMs
  /** Calls back once after `ms`, without keeping the process alive. @returns a function that cancels the callback */
  after(ms: number, callback: () => void): () => void
}

export const systemClock: Clock = {
  now: () => epochMs.parse(Date.now()),
  after(ms, callback) {
    const timer = setTimeout(callback, ms).unref()
    return () => clearTimeout(timer)
  },
}
