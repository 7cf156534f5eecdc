/** Follows other processes on the same data directory: reports their events, and frees the resources of ended ones. */
import type { Clock } from '../clock.ts'
import type { Coordinator } from './coordinator.ts'
import type { RunLog } from '../log/run-log.ts'

export const OTHERS_EVERY_MS = 500

/** @returns a function that stops following */
export function followOthers(
  log: RunLog,
  coordinator: Coordinator,
  clock: Clock,
  onError: (error: unknown) => void,
): () => void {
  let takeBack = (): void => {}
  function look(): void {
    try {
      log.catchUp()
      coordinator.tend()
    } catch (error) {
      onError(error)
    }
    takeBack = clock.after(OTHERS_EVERY_MS, look)
  }
  look()
  return () => takeBack()
}
