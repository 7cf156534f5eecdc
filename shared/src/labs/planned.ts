/** How many seconds steps measure by their plan, and how many a participant's run is allowed. Pure. */
import { runsOf, type ArmPlan, type ExperimentPlan } from '../measure/experiment.ts'
import { experimentOf, measuringOf, type Measuring, type OneArm } from './actions.ts'
import type { Step, StepParams } from './lab.ts'
import { opinionPlan, planOfStep } from './on-testbed.ts'

/** The plan of a step that measures one arm as it is set: the learner chooses its repeats and their length. */
function planOfArm(
  { arm: id, case: of, repeats, seconds }: OneArm,
  params: StepParams,
  arms: readonly ArmPlan[] = [],
): ExperimentPlan {
  const arm = arms.find((one) => one.id === id) ?? { id, label: id, settings: {} }
  const size = { repeats: params.repeats ?? repeats.default, seconds: params.seconds ?? seconds.default }
  return { arms: [arm], cases: [of], design: { order: 'sequential', ...size, warmups: 0, budget: null } }
}

/**
 * The plan that a step performs, with the learner's changes to its design; null for the Bench page's before it is chosen.
 *
 * @param arms the lab's; without them, an arm that the step names has no settings
 */
export function planWith(action: Measuring, params: StepParams, arms: readonly ArmPlan[] = []): ExperimentPlan | null {
  if (!('plan' in action)) return planOfArm(action, params, arms)
  const plan = planOfStep(action, params)
  if (plan === null) return null
  const { design } = plan
  const { cases } = params
  return {
    ...plan,
    cases: cases === undefined ? plan.cases : plan.cases.filter(({ id }) => cases.includes(id)),
    design: {
      order: params.order ?? design.order,
      repeats: params.repeats ?? design.repeats,
      seconds: params.seconds ?? design.seconds,
      warmups: params.warmups ?? design.warmups,
      budget: params.budget === undefined ? design.budget : params.budget,
    },
  }
}

/** Seconds of all benchmark runs of a plan, warm-ups included; with a budget, the budget. */
export function secondsOfPlan(plan: ExperimentPlan): number {
  const { budget, seconds } = plan.design
  return budget === null ? runsOf(plan) * seconds : budget.seconds
}

/** Seconds that a step measures by its plan; null for a step that does not measure. */
export function plannedSeconds(step: Pick<Step, 'action'>, params: StepParams): number | null {
  const measuring = measuringOf(step)
  const plan = measuring === null ? null : planWith(measuring, params)
  return plan === null ? null : secondsOfPlan(plan)
}

/** The planned and the allowed seconds of a run. */
export interface Fit {
  readonly planned: number
  readonly allowed: number
}

/** @param of the seconds of a step with some parameters */
function fitWith(steps: readonly Step[], params: StepParams, most: number, of: typeof plannedSeconds): Fit {
  const sum = (with_: StepParams): number => steps.reduce((all, step) => all + (of(step, with_) ?? 0), 0)
  return { planned: sum(params), allowed: Math.max(most, sum({})) }
}

/**
 * The fit of a run with all its steps. A participant must be able to do each lab: the lab's own plan is always allowed.
 *
 * @param steps the step of a run; of a solve, all its steps
 * @param most the seconds that a participant's run is allowed to plan
 */
export function fitOf(steps: readonly Step[], params: StepParams, most: number): Fit {
  return fitWith(steps, params, most, plannedSeconds)
}

/** Seconds of the second opinion on a step; null for a step without an opinion. */
function opinionSeconds(step: Pick<Step, 'action'>, params: StepParams): number | null {
  const experiment = experimentOf(step)
  const plan = experiment === null ? null : planWith(experiment, params)
  return plan === null ? null : secondsOfPlan(opinionPlan(plan))
}

/** The fit of the second opinion on a step, which is a run of its own. */
export function opinionFit(step: Step, params: StepParams, most: number): Fit {
  return fitWith([step], params, most, opinionSeconds)
}

export function fits({ planned, allowed }: Fit): boolean {
  return planned <= allowed
}

/** The most repeats of a plan that fit, without a change of anything else; 0 if not even one does. */
export function repeatsThatFit(plan: ExperimentPlan, allowed: number): number {
  const { arms, cases, design } = plan
  return Math.max(0, Math.floor(allowed / (arms.length * cases.length * design.seconds)) - design.warmups)
}
