/** Chooses the view of an experiment from its plan. Pure. */
import { toolOf } from '@expresslane/shared/features/metrics'
import { sweepOf } from '@expresslane/shared/features/sweep'
import type { ExperimentPlan, TestCase } from '@expresslane/shared/measure/experiment'

/**
 * - `sweep`: arms that the feature can order, by several request sizes: a map
 * - `pair`: two arms and one case: a single comparison
 * - `arms`: anything else: one chart per case with all arms
 */
export type ExperimentKind = 'sweep' | 'pair' | 'arms'

/** Whether the benchmark has parameters to sweep. */
function hasParameters({ benchmark }: TestCase): boolean {
  return toolOf(benchmark).parameters.length > 0
}

export function experimentKind({ arms, cases }: ExperimentPlan): ExperimentKind {
  if (arms.length === 2 && cases.length === 1) return 'pair'
  const sweep = sweepOf(arms)
  if (sweep === null || arms.length < 3 || cases.length < 2 || !cases.every(hasParameters)) return 'arms'
  return new Set(arms.map(({ settings }) => sweep.rank(settings))).size === arms.length ? 'sweep' : 'arms'
}
