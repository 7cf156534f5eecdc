/** How long runs take: by the plans of their steps, and by earlier runs. */
import type { Step } from '@expresslane/shared/labs/lab'
import { labOn } from '@expresslane/shared/labs/on-testbed'
import { plannedSeconds } from '@expresslane/shared/labs/planned'
import { kindOf } from '@expresslane/shared/testbed/id'
import type { Store } from '../../store/open.ts'
import type { Lasted, RunRow } from '../../store/runs.ts'
import type { FindLab } from '../coordination/busy.ts'
import { expectedSeconds, type RunAhead } from './expected-wait.ts'

export function createDurations({ runs }: Pick<Store, 'runs'>, findLab: FindLab) {
  function stepOf({ labId, testbed }: RunRow, stepId: string): Step | undefined {
    const lab = findLab(labId)
    const on = lab === undefined ? undefined : labOn(lab, kindOf(testbed))
    return on?.steps.find(({ id }) => id === stepId)
  }

  return {
    /** Seconds by plan of a run and of the steps that follow in its solve. */
    planned: (run: RunRow): number =>
      [run.stepId, ...run.remaining].reduce((sum, stepId) => {
        const step = stepOf(run, stepId)
        return sum + (step === undefined ? 0 : (plannedSeconds(step, run.params) ?? 0))
      }, 0),
    /**
     * @returns a function that estimates the duration of a run from the earlier runs of its steps. It reads them once and
     * keeps them, so use it for a single decision
     */
    lookUp(): (run: RunRow) => RunAhead {
      const known = new Map<string, readonly Lasted[]>()
      function secondsOf(run: RunRow, stepId: string): number | null {
        const { labId, params } = run
        const kind = kindOf(run.testbed)
        const step = stepOf(run, stepId)
        const key = `${labId} ${stepId} ${kind}`
        const lasted = known.get(key) ?? runs.durations(labId, stepId, kind)
        known.set(key, lasted)
        return expectedSeconds((of) => (step === undefined ? null : plannedSeconds(step, of)), params, lasted)
      }
      return (run) => ({
        steps: [run.stepId, ...run.remaining].map((stepId) => secondsOf(run, stepId)),
        startedAt: run.state === 'running' ? run.startedAt : null,
      })
    },
  }
}
