/** The time of this process, which goes on evenly while somebody sets the machine's clock, and its timers. */

/** Calls back once after `ms`, without keeping the process alive. @returns a function that cancels the callback */
export function later(ms: number, callback: () => void): () => void {
  // A browser's timers are numbers, and keep nothing alive.
  const timer = setTimeout(callback, ms) as NodeJS.Timeout | number
  if (typeof timer === 'object') timer.unref()
  return () => clearTimeout(timer)
}

/** Below this, in milliseconds, the two clocks differ because they are read one after the other. */
const STEP_MS = 100

export interface SteadyTime {
  /** Whole milliseconds since the epoch. It never goes back, and never jumps, but by {@link SteadyTime.follow}. */
  now(): number
  /** Takes the machine's time again, if that was set since, or the machine slept. Call it while nothing is timed. */
  follow(): void
}

/**
 * The machine's time as read once, plus the time that has passed since by a clock that nobody sets. Durations are
 * right even if the machine's clock steps in between. Linux stops the second clock while the machine sleeps, so a
 * duration is the time awake.
 *
 * @param wall milliseconds since the epoch, by the machine's clock
 * @param ticks milliseconds since any moment, by a clock that never goes back
 */
export function createSteadyTime(wall: () => number = Date.now, ticks = (): number => performance.now()): SteadyTime {
  let ahead = wall() - ticks()
  const now = (): number => Math.floor(ahead + ticks())
  return {
    now,
    follow() {
      if (Math.abs(wall() - now()) > STEP_MS) ahead = wall() - ticks()
    },
  }
}

/** Everything of this process that is timed or dated uses this clock, so that any two times can be compared. */
export const steadyTime = createSteadyTime()
