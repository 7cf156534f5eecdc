/** All arms of one case side by side. Pure. */
import type { CaseComparison } from '@expresslane/shared/compare/comparison'
import type { ExperimentPlan, TestCase } from '@expresslane/shared/measure/experiment'
import type { MetricId } from '@expresslane/shared/measure/metrics'
import { isOfCase } from '@expresslane/shared/run/result'
import { median, valuesOf, type Measurement } from '@expresslane/shared/measure/measurement'
import type { ArmBar } from '../charts/arm-bars.ts'
import { armLook } from '../theme.ts'

/**
 * @param taken without warm-up runs
 * @returns empty if no measurement has the metric
 */
export function armBars(
  { arms }: ExperimentPlan,
  of: TestCase,
  metric: MetricId,
  taken: readonly Measurement[],
  comparisons: readonly CaseComparison[],
): ArmBar[] {
  const bars = arms.map(({ id, label }, place): ArmBar => {
    const own = taken.filter((one) => one.arm === id && isOfCase(one, of))
    const dots = valuesOf(own, metric)
    const row = comparisons
      .find((one) => isOfCase(one, of) && one.arm === id)
      ?.comparison.rows.find((one) => one.metric === metric)
    const interval = row?.interval ?? null
    return {
      arm: id,
      label,
      look: armLook(id, place),
      value: dots.length === 0 ? null : median(dots),
      dots,
      interval:
        row === undefined || interval === null ? null : { low: row.off * interval.low, high: row.off * interval.high },
      changePercent: row?.changePercent ?? null,
      verdict: row?.role === 'verdict' ? row.verdict : null,
    }
  })
  return bars.some(({ value }) => value !== null) ? bars : []
}
