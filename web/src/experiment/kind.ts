/** Which view fits an experiment, told by its plan alone. Pure. */
import { isOnAnywhere, limitOf } from '@expresslane/shared/features/big-tcp/settings'
import { BIG_TCP_CAP, LEGACY_MAX_SIZE } from '@expresslane/shared/testbed/reading'
import { benchmarkKind } from '@expresslane/shared/features/metrics'
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

/** What an arm's packets may be as large as, so that arms can be put in order; BIG TCP's own size is above 64 KiB. */
function limitRank({ settings }: ArmPlan): number {
  return isOnAnywhere(settings) ? (limitOf(settings) ?? BIG_TCP_CAP) : LEGACY_MAX_SIZE
}

/** The arms from the smallest limit to the largest, those of one limit as planned. */
export function byLimit(arms: readonly ArmPlan[]): ArmPlan[] {
  return arms.toSorted((a, b) => limitRank(a) - limitRank(b))
}

export function experimentKind({ arms, cases }: ExperimentPlan): ExperimentKind {
  if (arms.length === 2 && cases.length === 1) return 'pair'
  const limits = new Set(arms.map(limitRank))
  const sweeps = limits.size === arms.length && arms.length > 2 && cases.length > 1 && cases.every(hasParameters)
  return sweeps ? 'sweep' : 'arms'
}
