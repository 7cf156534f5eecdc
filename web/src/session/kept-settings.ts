/** Whether to show that a testbed does not have its original settings. Pure. */
import { changesSettings } from '@expresslane/shared/labs/actions'
import type { Lab } from '@expresslane/shared/labs/lab'
import { runsSinceReset } from '@expresslane/shared/run/progress'
import type { Settings } from '@expresslane/shared/base/settings'
import { hasPassed, type RunState } from '@expresslane/shared/run/run-state'

function switches(lab: Lab, { stepId, params }: RunState): boolean {
  return changesSettings(lab.steps.find(({ id }) => id === stepId)?.action ?? null, params)
}

/**
 * Whether changed settings are unexpected in this session. They are expected if the session has changed them, is changing them
 * or is restoring them; after a failed or interrupted change they are unexpected.
 */
export function isUnexpected(lab: Lab, runs: readonly RunState[], toRestore: Settings | null): boolean {
  if (toRestore === null) return false
  return !runsSinceReset(runs).some((run) => switches(lab, run) && (run.state === 'running' || hasPassed(run)))
}
