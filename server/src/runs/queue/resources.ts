/** The resources that each action needs exclusively. */
import { assertNever } from '@expresslane/shared/wire/errors'
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
  switch (action.kind) {
    case 'preflight':
    case 'read':
    case 'compare':
      return null
    case 'verify':
      return params.switchOff === true ? 'changing' : null
    case 'deploy':
    case 'switch':
    case 'restore':
      return 'changing'
    case 'measure':
    case 'experiment':
    case 'capture':
      return 'measuring'
    default:
      return assertNever(action)
  }
}

/**
 * What the first of `steps` needs. As soon as a step needs more than its testbed, the run takes all that the steps after
 * it need as well: it never waits while it holds something that others wait for, and nobody slips in between.
 *
 * @param own the testbed itself
 * @param steps the run's own step, and those of the solve after it; null for a reset
 * @param holds what the run before it in the same solve held
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
