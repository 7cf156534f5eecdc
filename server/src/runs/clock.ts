import { epochMs, type EpochMs } from '@expresslane/shared/base/units'
import { later, steadyTime, type SteadyTime } from '../time.ts'

/** The clock, passed in so that tests can control time. */
export interface Clock {
  /** Differences are durations, also if somebody sets the machine's clock in between. */
  now(): EpochMs
  /** Takes the machine's time again, if that was set since, or the machine slept. Called while no run is open. */
  follow(): void
  /** Calls back once after `ms`, without keeping the process alive. @returns a function that cancels the callback */
  after(ms: number, callback: () => void): () => void
}

export function clockWith(time: SteadyTime): Clock {
  return {
    now: () => epochMs.parse(time.now()),
    follow: () => time.follow(),
    after: later,
  }
}

export const systemClock = clockWith(steadyTime)
