/** The order in which a feature sweeps arms. Pure. */
import type { ArmPlan } from '../measure/experiment.ts'
import type { Sweep } from './feature.ts'
import { featuresOf } from './settings.ts'

/** How the feature of the arms orders them; null if no feature does. */
export function sweepOf(arms: readonly ArmPlan[]): Sweep | null {
  return arms.flatMap(({ settings }) => featuresOf(settings)).find(({ sweep }) => sweep !== undefined)?.sweep ?? null
}

/** The arms in the feature's order, the lowest first; arms of the same rank stay in plan order. */
export function ranked(arms: readonly ArmPlan[]): ArmPlan[] {
  const sweep = sweepOf(arms)
  return sweep === null ? [...arms] : arms.toSorted((a, b) => sweep.rank(a.settings) - sweep.rank(b.settings))
}
