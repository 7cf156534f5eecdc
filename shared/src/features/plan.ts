/** Checks what a plan's schema can't: whether its settings and tools exist. Pure. */
import type { ExperimentPlan } from '../measure/experiment.ts'
import { benchmarkIssues, benchmarkKind } from './metrics.ts'
import { settingIssues } from './settings.ts'

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
  const whole = cases.map((one) => benchmarkKind(one.benchmark)).filter(({ wholeSeconds }) => wholeSeconds)
  return [...new Set(whole.map(({ name }) => name))].map((name) => ({
    path: ['design', 'seconds'],
    message: `${name} measures whole seconds only`,
  }))
}
