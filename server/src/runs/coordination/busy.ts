import { LabError } from '@expresslane/shared/base/errors'
import { RESET_STEP } from '@expresslane/shared/run/events'
import { actionProperties } from '@expresslane/shared/labs/actions'
import type { Lab, Step } from '@expresslane/shared/labs/lab'
import type { RunRow } from '../../store/runs.ts'

export type FindLab = (id: string) => Lab | undefined

/** The step of a run; null for a reset, and for a step that no longer exists. */
function stepOf(findLab: FindLab, run: Pick<RunRow, 'labId' | 'stepId'>): Step | null {
  return findLab(run.labId)?.steps.find((step) => step.id === run.stepId) ?? null
}

/** Whether a run measures and must not be disturbed. */
export function isMeasuring(findLab: FindLab, run: Pick<RunRow, 'labId' | 'stepId'>): boolean {
  return actionProperties(stepOf(findLab, run)?.action).use === 'measuring'
}

/** The error for a testbed that can't be moved or closed because of a run. */
export function busyError(findLab: FindLab, holder: RunRow): LabError {
  const lab = findLab(holder.labId)?.title ?? holder.labId
  const title = holder.stepId === RESET_STEP ? 'Reset' : (stepOf(findLab, holder)?.title ?? holder.stepId)
  return new LabError(
    'testbed_busy',
    `“${title}” of “${lab}” is ${holder.state} on this testbed.`,
    'Wait until that run has ended, or cancel it.',
    { detail: `run ${holder.id} of session ${holder.sessionId}` },
  )
}
