/** The effect of the next press of a presenter's key. Autopilot and the presenter's page both ask here. Pure. */
import type { Lab } from '../labs/lab.ts'
import type { RunId } from '../run/events.ts'
import { runsSinceReset, sessionProgress, stepsToSolve } from '../run/progress.ts'
import { isOpen, type RunState } from '../run/run-state.ts'

export type NextMove =
  /** Run this step's action. */
  | {
      readonly kind: 'run'
      readonly stepId: string
      /** Earlier steps are not done: run them first. */
      readonly solve: boolean
      /** The step ran before, and its check did not pass. */
      readonly again: boolean
    }
  /** A run of this session is running or queued. */
  | { readonly kind: 'wait'; readonly runId: RunId; readonly stepId: string }
  /** This step is done: show the next one. */
  | { readonly kind: 'go'; readonly stepId: string }
  /** The last step is done. */
  | { readonly kind: 'end' }

/**
 * @param stepId the shown step; the first step counts if the lab no longer has it
 * @param runs the session's
 * @param incarnation the testbed's current incarnation; null if it is unknown
 */
export function nextMove(lab: Lab, stepId: string, runs: readonly RunState[], incarnation: string | null): NextMove {
  const open = runsSinceReset(runs).findLast(isOpen)
  if (open !== undefined) return { kind: 'wait', runId: open.id, stepId: open.stepId }
  const progress = sessionProgress(lab, runs, incarnation)
  const index = Math.max(
    0,
    progress.findIndex(({ step }) => step.id === stepId),
  )
  const shown = progress[index]
  if (shown !== undefined && shown.status !== 'read' && shown.status !== 'passed') {
    const { id } = shown.step
    return {
      kind: 'run',
      stepId: id,
      solve: stepsToSolve(progress, id).some((step) => step.id !== id),
      again: shown.status === 'ended',
    }
  }
  const next = progress[index + 1]
  return next === undefined ? { kind: 'end' } : { kind: 'go', stepId: next.step.id }
}
