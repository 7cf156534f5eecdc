/** Finds the capture to show next to another one. Pure. */
import type { Capture } from '@expresslane/shared/measure/capture'
import type { RunState } from '@expresslane/shared/run/run-state'

/** The latest capture of the same messages under the other arm; null if there is none. */
export function otherCapture(of: Capture, runs: readonly RunState[]): Capture | null {
  const alike = ({ capture }: RunState): boolean =>
    capture !== null &&
    capture.arm !== of.arm &&
    capture.family === of.family &&
    capture.requestBytes === of.requestBytes &&
    capture.responseBytes === of.responseBytes
  return runs.findLast(alike)?.capture ?? null
}
