/**
 * Follows other processes on the same data directory: reports their events, and frees the resources of ended ones. Between
 * runs it follows the machine's clock, too: during a run that would spoil durations.
 */
import { toLabError } from '@expresslane/shared/base/errors'
import type { Clock } from '../clock.ts'
import type { Scheduler } from './scheduler.ts'
import type { RunLog } from '../log/run-log.ts'

export const OTHERS_EVERY_MS = 500

/**
 * @param isRunning whether a run of any process is running
 * @returns a function that stops following
 */
export function followOthers(
  log: RunLog,
  scheduler: Scheduler,
  clock: Clock,
  isRunning: () => boolean,
  onError: (error: unknown) => void,
): () => void {
  let takeBack = (): void => {}
  /** The code of the latest failure: a full disk or a lock lasts for many turns, and is reported once. */
  let failing: string | null = null
  function look(): void {
    try {
      log.catchUp()
      scheduler.tend()
      if (!isRunning()) clock.follow()
      failing = null
    } catch (error) {
      const { code } = toLabError(error)
      if (code !== failing || code === 'internal') onError(error)
      failing = code
    }
    takeBack = clock.after(OTHERS_EVERY_MS, look)
  }
  look()
  return () => takeBack()
}
