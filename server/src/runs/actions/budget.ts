/** When an experiment with a time budget stops. */
import { MOST_RUNS, mostRepeats, type Design, type ExperimentPlan } from '@expresslane/shared/measure/experiment'
import { formatCount } from '@expresslane/shared/base/units'

/** The length of one block of an interleaved design: every arm forwards and backwards. */
export const BLOCK_ROUNDS = 2

export interface BudgetUse {
  /** Repeats of each case under each arm, without warm-ups. */
  readonly rounds: number
  readonly seconds: number
  /** The widest interval of a main metric, in percent of its ratio; null while one is unknown. */
  readonly width: number | null
}

/** Called after each block. @returns why there is no other one, for people; null to go on */
export function whyStopped(
  plan: ExperimentPlan,
  budget: NonNullable<Design['budget']>,
  { rounds, seconds, width }: BudgetUse,
): string | null {
  if (width !== null && width <= budget.widthPercent && rounds >= plan.design.repeats) {
    return `The interval reached the target width: ${width.toFixed(1)} % after ${Math.round(seconds)} s.`
  }
  const reached = width === null ? 'there is no interval yet' : `the interval is ${width.toFixed(1)} % wide`
  // The next block will take about as long as the earlier ones.
  if (seconds + seconds / (rounds / BLOCK_ROUNDS) > budget.seconds) {
    return `The budget of ${budget.seconds} s is used up; ${reached}.`
  }
  if (rounds + BLOCK_ROUNDS > mostRepeats(plan)) {
    return `An experiment has at most ${formatCount(MOST_RUNS)} runs; ${reached}.`
  }
  return null
}
