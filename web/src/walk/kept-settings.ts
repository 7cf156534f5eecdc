/** Whether to show that a testbed does not have its original settings. Pure. */
import type { Action, Lab } from '@expresslane/shared/labs/lab'
import { currentWalk } from '@expresslane/shared/run/progress'
import type { Settings } from '@expresslane/shared/base/settings'
import { hasPassed, type RunState } from '@expresslane/shared/run/run-state'

/** The actions that change settings. */
const setters: ReadonlySet<Action['kind'] | undefined> = new Set([
  'switch',
  'restore',
  'experiment',
  'capture',
  'probe',
])

function switches(lab: Lab, { stepId, params }: RunState): boolean {
  const kind = lab.steps.find(({ id }) => id === stepId)?.action?.kind
  return setters.has(kind) || (kind === 'verify' && params.switchOff === true)
}

/**
 * Whether changed settings are unexpected in this walk. They are expected if the walk has changed them, is changing them
 * or is restoring them; after a failed or interrupted change they are unexpected.
 */
export function isUnexpected(lab: Lab, runs: readonly RunState[], toRestore: Settings | null): boolean {
  if (toRestore === null) return false
  return !currentWalk(runs).some((run) => switches(lab, run) && (run.state === 'running' || hasPassed(run)))
}
