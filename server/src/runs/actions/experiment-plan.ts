/** Builds the plan of an experiment from the lab's plan and the learner's choices. */
import { whyLacking } from '@expresslane/shared/features/capabilities'
import { LabError } from '@expresslane/shared/base/errors'
import {
  experimentPlan,
  orderOf,
  runsOf,
  type ExperimentPlan,
  type LeftOutArm,
} from '@expresslane/shared/measure/experiment'
import { KERNEL, withRelease } from '@expresslane/shared/features/kernel'
import { planNeeds, possiblePlan } from '@expresslane/shared/features/plan'
import { featuresOf, valuesNotOffered } from '@expresslane/shared/features/settings'
import type { Experiment } from '@expresslane/shared/labs/actions'
import type { Lab, StepParams } from '@expresslane/shared/labs/lab'
import { planWith } from '@expresslane/shared/labs/planned'
import type { Testbed } from '../../testbeds/testbed.ts'
import type { StepContext } from '../perform/step-context.ts'
import { BLOCK_ROUNDS } from './budget.ts'

/** The budget is checked after each block, so at least the first block must fit. @throws LabError `bad_request` */
function requireRoomForBlock(plan: ExperimentPlan): void {
  const { budget, seconds } = plan.design
  const least = runsOf({ ...plan, design: { ...plan.design, repeats: BLOCK_ROUNDS } }) * seconds
  if (budget === null || least <= budget.seconds) return
  throw new LabError(
    'bad_request',
    `The time budget is too short: one block takes ${least} s, and the budget is ${budget.seconds} s.`,
    'Allow more time, or choose fewer arms, benchmarks, warm-ups or seconds.',
  )
}

/** A plan for a testbed, and the arms that the testbed can't run. */
interface Planned {
  readonly plan: ExperimentPlan
  readonly leftOut: LeftOutArm[]
}

/**
 * The learner's plan, or the lab's plan with the learner's changes and without the optional arms that the testbed can't
 * do; with a decided order.
 *
 * @throws LabError `bad_request`
 */
export function planFor(action: Experiment, params: StepParams, { testbed, lab }: StepContext): Planned {
  const base = planWith(action, params)
  if (base === null) {
    throw new LabError('bad_request', 'This experiment has no plan.', 'Choose arms and benchmarks on the Bench page.')
  }
  const order = orderOf(base.design, testbed.primitives['quick-switch'] === null)
  if (base.design.budget !== null && order === 'sequential') {
    throw new LabError(
      'bad_request',
      'A time budget needs the interleaved order. A sequential experiment can’t add repeats later.',
      'Choose the interleaved order, or remove the budget.',
    )
  }
  const arms = base.arms.map((arm) => ({ ...arm, settings: { ...params.settings, ...arm.settings } }))
  const asPlanned = { ...base, arms, design: { ...base.design, order } }
  const { plan: possible, leftOut } = possiblePlan(asPlanned, lab.optional, (need) =>
    whyLacking(need, testbed.primitives),
  )
  const releases = testbed.choices.get(KERNEL) ?? []
  const decided = experimentPlan.parse({ ...possible, arms: possible.arms.map((arm) => withRelease(arm, releases)) })
  requireRoomForBlock(decided)
  return { plan: decided, leftOut }
}

/** @throws LabError `bad_request` naming what this testbed can't set */
export function requireCapabilities(plan: ExperimentPlan, testbed: Testbed): void {
  for (const need of planNeeds(plan)) {
    const reason = whyLacking(need, testbed.primitives)
    if (reason === null) continue
    throw new LabError('bad_request', reason, 'Choose another testbed, or remove this from the plan.')
  }
}

/** @throws LabError `bad_request` naming a value that this testbed does not offer */
export function requireChoices({ arms }: ExperimentPlan, { choices }: Testbed): void {
  for (const { settings } of arms) {
    const [first] = valuesNotOffered(settings, Object.fromEntries(choices))
    if (first !== undefined) throw new LabError('bad_request', first, 'Choose another one, or remove this arm.')
  }
}

/** The lab of a plan, whose arms can switch another feature than the Bench page's lab names. */
export function labOf({ arms, cases }: ExperimentPlan, lab: Lab): Lab {
  const switched = featuresOf(
    Object.fromEntries([...arms, ...cases].flatMap(({ settings }) => Object.entries(settings ?? {}))),
  )
  const [first] = switched
  return first === undefined || switched.some(({ id }) => id === lab.feature) ? lab : { ...lab, feature: first.id }
}
