/** All arms of one case side by side. Pure. */
import { valueOf, type CaseComparison, type ComparedMetric } from '@expresslane/shared/compare/compare'
import type { ExperimentPlan, TestCase } from '@expresslane/shared/measure/experiment'
import { median, type Measurement } from '@expresslane/shared/measure/measurement'
import type { ArmBar } from '../charts/arm-bars.ts'
import { armLook } from '../theme.ts'
import { isStream } from './kind.ts'

/** The first one is what counts; the others explain it. */
export function metricsOf(one: TestCase): readonly ComparedMetric[] {
  return isStream(one)
    ? ['throughput', 'cpuSecondsPerGigabit', 'bytesPerPacket']
    : ['tps', 'p50', 'p99', 'packetsPerRequest']
}

/**
 * @param taken without what was thrown away
 * @returns empty where no measurement has the metric
 */
export function armBars(
  { arms }: ExperimentPlan,
  { id: caseId }: TestCase,
  metric: ComparedMetric,
  taken: readonly Measurement[],
  comparisons: readonly CaseComparison[],
): ArmBar[] {
  const bars = arms.map(({ id, label }, place): ArmBar => {
    const dots = taken
      .filter((one) => one.arm === id && one.caseId === caseId)
      .map((one) => valueOf(one, metric))
      .filter((value) => value !== null)
    const row = comparisons
      .find((one) => one.caseId === caseId && one.arm === id)
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
      verdict: row === undefined || row.better === 'neither' ? null : row.verdict,
    }
  })
  return bars.some(({ value }) => value !== null) ? bars : []
}
