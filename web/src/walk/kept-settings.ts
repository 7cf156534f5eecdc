/** Settings from before Expresslane's first change that nobody has put back: when to say so, and how. Pure. */
import type { Action, Lab } from '@expresslane/shared/labs/lab'
import { currentWalk } from '@expresslane/shared/run/progress'
import type { Settings } from '@expresslane/shared/measure/settings'
import { hasPassed, type RunState } from '@expresslane/shared/run/run-state'

/** The actions that set the path by themselves. */
const setters: ReadonlySet<Action['kind'] | undefined> = new Set(['switch', 'restore', 'experiment', 'capture'])

function switches(lab: Lab, { stepId, params }: RunState): boolean {
  const kind = lab.steps.find(({ id }) => id === stepId)?.action?.kind
  return setters.has(kind) || (kind === 'verify' && params.switchOff === true)
}

/**
 * Is the changed datapath a surprise in this walk? It is none where the walk has changed it, is about to, or
 * puts it back just now; a change that failed or was interrupted is one.
 */
export function keptIsNews(lab: Lab, runs: readonly RunState[], toRestore: Settings | null): boolean {
  if (toRestore === null) return false
  return !currentWalk(runs).some((run) => switches(lab, run) && (run.state === 'running' || hasPassed(run)))
}
