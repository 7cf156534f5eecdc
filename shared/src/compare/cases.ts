/** An experiment's comparisons: every arm against the first, for each case. Pure. */
import { mainMetricOf, toolName } from '../features/metrics.ts'
import type { CaseComparison } from './comparison.ts'
import { compareArms } from './compare.ts'
import type { ExperimentPlan, Order } from '../measure/experiment.ts'
import type { Measurement } from '../measure/measurement.ts'

/**
 * @param taken in the order taken, warm-ups included
 * @param rows `main` compares only the main metric: an estimate during the experiment
 */
export function compareCases(
  plan: ExperimentPlan,
  order: Order,
  taken: readonly Measurement[],
  rows: 'main' | 'all',
): CaseComparison[] {
  const [first, ...others] = plan.arms
  if (first === undefined) return []
  return plan.cases.flatMap((one) => {
    const of = (arm: string): Measurement[] => taken.filter((run) => run.arm === arm && run.caseId === one.id)
    return others.flatMap((arm) => {
      const comparison = compareArms(of(first.id), of(arm.id), {
        order,
        names: { off: first.label, on: arm.label },
        subject: `${one.label} (${toolName(one.benchmark)})`,
        ...(rows === 'main' ? { only: [mainMetricOf(one.benchmark)] } : {}),
      })
      return comparison === null ? [] : [{ caseId: one.id, arm: arm.id, against: first.id, comparison }]
    })
  })
}

/**
 * The widest interval of the comparisons' main metrics, from its low end to its high end, in percent of its ratio.
 * Null without comparisons, or while one has no interval yet.
 */
export function widestInterval(comparisons: readonly CaseComparison[]): number | null {
  let widest: number | null = null
  for (const { comparison } of comparisons) {
    const [main] = comparison.rows
    // There are no percentages of a median of 0.
    if (main?.interval === undefined || main.interval === null || main.ratio <= 0) return null
    const { low, high } = main.interval
    widest = Math.max(widest ?? 0, ((high - low) / main.ratio) * 100)
  }
  return widest
}
