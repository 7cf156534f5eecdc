/** Checks what a plan's schema can't: whether its settings and tools exist. Pure. */
import type { ExperimentPlan } from '../measure/experiment.ts'
import { benchmarkIssues } from './metrics.ts'
import { settingIssues } from './settings.ts'

export interface PlanIssue {
  readonly path: PropertyKey[]
  readonly message: string
}

/** Empty for a valid plan. */
export function planIssues({ arms, cases }: Pick<ExperimentPlan, 'arms' | 'cases'>): PlanIssue[] {
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
  ]
}
