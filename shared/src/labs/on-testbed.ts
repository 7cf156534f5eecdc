/** A lab as it is planned on a kind of testbed. Pure. */
import { findSetting } from '../features/settings.ts'
import { CPU_PLACEMENT } from '../features/cpu-placement.ts'
import type { ExperimentPlan, TestCase } from '../measure/experiment.ts'
import { kinds } from '../testbed/kinds.ts'
import type { TestbedKind } from '../testbed/testbed.ts'
import { measuringOf, type Experiment } from './actions.ts'
import type { Action, Lab, Step, StepParams, Tunable } from './lab.ts'

/**
 * Where the clock counts instructions, repeats differ by less than 1 %: half a second is as good as five seconds, and four
 * repeats are the fewest of two arms that decide.
 */
const counted = { repeats: 4, seconds: 0.5 }
/** The most seconds of a second opinion's runs: whole, because some tools can't run for parts of a second. */
const OPINION_SECONDS = 1
/** The most of a second opinion: more repeats differ by less than the machine's resolution. */
const mostRepeats = 8

function atMost<T extends Tunable>(of: T, most: number): T {
  return { ...of, default: Math.max(of.min, Math.min(of.default, most)) }
}

function takesLong({ settings = {} }: TestCase): boolean {
  return Object.entries(settings).some(([id, value]) => findSetting(id)?.takesLong?.(value) === true)
}

function actionOn(step: Step): Action | null {
  const { action } = step
  const measuring = measuringOf(step)
  if (measuring === null) return action
  const seconds = atMost(measuring.seconds, counted.seconds)
  if (!('plan' in measuring)) return { ...measuring, seconds, repeats: atMost(measuring.repeats, counted.repeats) }
  // Its number of comparisons decides its repeats, on any testbed.
  const { plan } = measuring
  return { ...measuring, seconds, plan: plan === null ? null : shortened(plan, seconds.default) }
}

/** @param most the most seconds of a run */
function shortened(plan: ExperimentPlan, most: number): ExperimentPlan {
  const design = { ...plan.design, seconds: Math.min(plan.design.seconds, most) }
  const quick = plan.cases.filter((one) => !takesLong(one))
  return { ...plan, cases: quick.length > 0 ? quick : plan.cases, design }
}

/**
 * The plan of a second opinion: a plan from another testbed, as the counted machine performs it. Its runs are shorter,
 * cases that take minutes to set up are left out, and there is no time budget: four to eight repeats are precise enough
 * there. A CPU placement that all arms share is left out, because the machine has one CPU.
 *
 * @param plan as it was performed, with its final order
 */
export function opinionPlan(plan: ExperimentPlan): ExperimentPlan {
  const { arms, cases, design } = shortened(plan, OPINION_SECONDS)
  const repeats = Math.max(counted.repeats, Math.min(design.repeats, mostRepeats))
  const alike = new Set(arms.map(({ settings }) => settings[CPU_PLACEMENT] ?? null)).size === 1
  const placed = arms.map((arm) => {
    const { [CPU_PLACEMENT]: _, ...settings } = arm.settings
    return { ...arm, settings }
  })
  return { arms: alike ? placed : arms, cases, design: { ...design, repeats, budget: null } }
}

/** The plan that a step performs: the lab's own where it has one, but a second opinion has the plan of its run. */
export function planOfStep({ plan }: Pick<Experiment, 'plan'>, params: StepParams): ExperimentPlan | null {
  return (params.opinionOf === undefined ? (plan ?? params.plan) : (params.plan ?? plan)) ?? null
}

/** The lab with the defaults for this kind of testbed. */
export function labOn<T extends Pick<Lab, 'steps'>>(lab: T, kind: TestbedKind): T {
  if (kinds[kind].clock === null) return lab
  return { ...lab, steps: lab.steps.map((step) => ({ ...step, action: actionOn(step) })) }
}
