/** Checks that the settings and tools of a plan exist, which a schema can't. Pure. */
import { armInCase, type ArmPlan, type ExperimentPlan, type LeftOutArm } from '../measure/experiment.ts'
import type { Capability } from '../testbed/testbed.ts'
import { benchmarkIssues, toolOf } from './metrics.ts'
import { capabilitiesFor, settingIssues, settingsFor } from './settings.ts'

export interface PlanIssue {
  readonly path: PropertyKey[]
  readonly message: string
}

/** Empty for a valid plan. */
export function planIssues({ arms, cases, design }: ExperimentPlan): PlanIssue[] {
  return [
    ...arms.flatMap(({ settings }, index) =>
      settingIssues(settings).map(({ id, message }) => ({ path: ['arms', index, 'settings', id], message })),
    ),
    ...cases.flatMap(({ settings = {} }, index) =>
      settingIssues(settings).map(({ id, message }) => ({ path: ['cases', index, 'settings', id], message })),
    ),
    ...cases.flatMap(({ benchmark }, index) =>
      benchmarkIssues(benchmark).map(({ path, message }) => ({
        path: ['cases', index, 'benchmark', ...path],
        message,
      })),
    ),
    ...secondsIssues(cases, design),
  ]
}

function secondsIssues(cases: ExperimentPlan['cases'], { seconds }: ExperimentPlan['design']): PlanIssue[] {
  if (Number.isInteger(seconds)) return []
  const whole = cases.map((one) => toolOf(one.benchmark)).filter(({ wholeSeconds }) => wholeSeconds)
  return [...new Set(whole.map(({ name }) => name))].map((name) => ({
    path: ['design', 'seconds'],
    message: `${name} measures whole seconds only`,
  }))
}

/** The capabilities that an arm needs in any of the cases. */
function needsOf(arm: ArmPlan, { cases }: Pick<ExperimentPlan, 'cases'>): Capability[] {
  const needs = cases.flatMap((one) => capabilitiesFor(settingsFor(armInCase(arm, one).settings, [one.family])))
  return [...new Set(needs)]
}

/** The capabilities that a plan needs for its arms and tools. */
export function planNeeds(plan: Pick<ExperimentPlan, 'arms' | 'cases'>): Capability[] {
  const tools = plan.cases.flatMap(({ benchmark }) => toolOf(benchmark).capability ?? [])
  return [...new Set([...plan.arms.flatMap((arm) => needsOf(arm, plan)), ...tools])]
}

/**
 * The plan with the arms that a testbed can do, and the other arms with the reasons. Nothing is left out if fewer than
 * two arms would remain: then the plan can't be run there.
 *
 * @param optional capabilities that the plan can do without
 * @param whyNot why the testbed lacks a capability; null if it has it
 */
export function possiblePlan<Plan extends Pick<ExperimentPlan, 'arms' | 'cases'>>(
  plan: Plan,
  optional: readonly Capability[],
  whyNot: (need: Capability) => string | null,
): { readonly plan: Plan; readonly leftOut: LeftOutArm[] } {
  const leftOut = plan.arms.flatMap((arm): LeftOutArm[] => {
    const reasons = needsOf(arm, plan).flatMap((need) => (optional.includes(need) ? (whyNot(need) ?? []) : []))
    const { id, label } = arm
    return reasons.length === 0 ? [] : [{ id, label, reason: [...new Set(reasons)].join(' ') }]
  })
  const arms = plan.arms.filter(({ id }) => !leftOut.some((one) => one.id === id))
  return leftOut.length === 0 || arms.length < 2 ? { plan, leftOut: [] } : { plan: { ...plan, arms }, leftOut }
}
