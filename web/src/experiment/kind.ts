/** Chooses the view of an experiment from its plan. Pure. */
import { benchmarkKind } from '@expresslane/shared/features/metrics'
import { featuresOf } from '@expresslane/shared/features/settings'
import type { ArmPlan, ExperimentPlan, TestCase } from '@expresslane/shared/measure/experiment'

/**
 * - `sweep`: several limits by several request sizes: a map
 * - `pair`: two arms and one case: a single comparison
 * - `arms`: anything else: one chart per case with all arms
 */
export type ExperimentKind = 'sweep' | 'pair' | 'arms'

/** Whether the benchmark has parameters to sweep. */
function hasParameters({ benchmark }: TestCase): boolean {
  return benchmarkKind(benchmark).parameters.length > 0
}

/** The rank of an arm in the order of its feature; 0 for a feature without an order. */
function rankOf({ settings }: ArmPlan): number {
  return featuresOf(settings)[0]?.rank?.(settings) ?? 0
}

/** The arms from the smallest limit to the largest; arms with the same limit stay in plan order. */
export function byLimit(arms: readonly ArmPlan[]): ArmPlan[] {
  return arms.toSorted((a, b) => rankOf(a) - rankOf(b))
}

export function experimentKind({ arms, cases }: ExperimentPlan): ExperimentKind {
  if (arms.length === 2 && cases.length === 1) return 'pair'
  const limits = new Set(arms.map(rankOf))
  const sweeps = limits.size === arms.length && arms.length > 2 && cases.length > 1 && cases.every(hasParameters)
  return sweeps ? 'sweep' : 'arms'
}
