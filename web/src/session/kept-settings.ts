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
 * Whether the testbed has changed settings that this session does not expect. It expects the settings that it has changed,
 * is changing or is restoring; after a failed or interrupted change it does not.
 */
export function isUnexpected(lab: Lab, runs: readonly RunState[], toRestore: Settings | null): boolean {
  if (toRestore === null) return false
  return !runsSinceReset(runs).some((run) => switches(lab, run) && (run.state === 'running' || hasPassed(run)))
}
