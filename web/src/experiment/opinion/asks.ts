import type { RunState } from '@expresslane/shared/run/run-state'
import { opinionOn } from '@expresslane/shared/testbed/id'

/** Whether the counted machine measures the same plan after this experiment. */
export function asksOpinion({ params, state, testbed }: RunState): boolean {
  return params.opinion === true && state === 'completed' && opinionOn(testbed) !== null
}
