/** Which view fits an experiment, told by its plan alone. Pure. */
import { benchmarkKind } from '@expresslane/shared/features/metrics'
import { featuresOf } from '@expresslane/shared/features/settings'
import type { ArmPlan, ExperimentPlan, TestCase } from '@expresslane/shared/measure/experiment'

/**
 * - `sweep`: several limits by several request sizes, a map
 * - `pair`: two arms and one case, which one comparison tells whole
 * - `arms`: anything else, a chart a case with all arms in it
 */
export type ExperimentKind = 'sweep' | 'pair' | 'arms'

/** Has it parameters that a sweep may go through? */
function hasParameters({ benchmark }: TestCase): boolean {
  return benchmarkKind(benchmark).parameters.length > 0
}

/** By how much of its feature it has; 0 for a feature that has no order. */
function rankOf({ settings }: ArmPlan): number {
  return featuresOf(settings)[0]?.rank?.(settings) ?? 0
}

/** The arms from the smallest limit to the largest, those of one limit as planned. */
export function byLimit(arms: readonly ArmPlan[]): ArmPlan[] {
  return arms.toSorted((a, b) => rankOf(a) - rankOf(b))
}

export function experimentKind({ arms, cases }: ExperimentPlan): ExperimentKind {
  if (arms.length === 2 && cases.length === 1) return 'pair'
  const limits = new Set(arms.map(rankOf))
  const sweeps = limits.size === arms.length && arms.length > 2 && cases.length > 1 && cases.every(hasParameters)
  return sweeps ? 'sweep' : 'arms'
}
