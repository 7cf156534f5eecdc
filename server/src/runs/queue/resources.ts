/** The resources that each action needs for itself. */
import { actionProperties } from '@expresslane/shared/labs/actions'
import type { Action, Step, StepParams } from '@expresslane/shared/labs/lab'
import type { Needs, Resource, SharedResources } from '../../testbeds/resources.ts'

export function all({ own, shared }: Needs): Resource[] {
  return [own, ...shared]
}

export function covers(of: Needs, one: Resource): boolean {
  return all(of).includes(one)
}

/** Whether two runs can run at the same time. */
export function independent(a: Needs, b: Needs): boolean {
  return a.own !== b.own && !a.shared.some((one) => b.shared.includes(one))
}

/** @param action null for a reset */
function useOf(action: Action | null, params: StepParams): keyof SharedResources | null {
  if (action === null) return 'changing'
  const { use, canSwitchOff } = actionProperties(action)
  return canSwitchOff && params.switchOff === true ? 'changing' : use
}

/**
 * The resources that the first of `steps` needs. Once a step needs more than its testbed, the run takes everything that
 * the following steps need, too. So it never waits while it holds a shared resource, and no other run comes in between.
 *
 * @param own the testbed itself
 * @param steps the run's step and the following steps of the solve; null for a reset
 * @param holds the resources of the previous run in the same solve
 */
export function needsOf(
  own: Resource,
  of: SharedResources,
  steps: readonly (Step | null)[],
  params: StepParams,
  holds: readonly Resource[] = [],
): Needs {
  const sharedBy = (step: Step | null): readonly Resource[] => {
    const use = useOf(step?.action ?? null, params)
    return use === null ? [] : of[use]
  }
  const under = holds.some((one) => one !== own) || steps.slice(0, 1).flatMap(sharedBy).length > 0
  return { own, shared: under ? [...new Set(steps.flatMap(sharedBy))] : [] }
}
