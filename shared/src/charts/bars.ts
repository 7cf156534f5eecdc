/** The bars of a comparison and of an experiment: medians, single values, intervals and verdicts, as data. Pure. */
import type { CaseComparison, ComparedRow, Comparison, Verdict } from '../compare/comparison.ts'
import { axisTitle, benchmarkKind, chartsOf, metricOf } from '../features/metrics.ts'
import type { ExperimentPlan, TestCase } from '../measure/experiment.ts'
import { maxOf } from '../measure/extremes.ts'
import { median, valuesOf, type Measurement } from '../measure/measurement.ts'
import type { MetricId } from '../measure/metrics.ts'
import { isOfCase } from '../run/result.ts'
import { armHue, type Hue } from './draw/palette.ts'
import { niceTicks, type AxisTicks } from './draw/ticks.ts'

/** One arm's values of a metric, in the metric's unit. */
export interface Bar {
  readonly arm: string
  readonly label: string
  readonly hue: Hue
  /** The median; null before it is measured. */
  readonly value: number | null
  /** Every run, in order. */
  readonly values: readonly number[]
  /** The ratio's interval times the first arm's median: the difference on this axis; null with too few runs. */
  readonly interval: { readonly low: number; readonly high: number } | null
  readonly changePercent: number | null
  /** Compared with the first arm; null for the first arm, and for a metric that is not the main one. */
  readonly verdict: Verdict | null
}

/** The bars of one metric, on one axis from zero. */
export interface BarGroup {
  /** Above the bars; empty for none. */
  readonly heading: string
  readonly metric: MetricId
  readonly bars: readonly Bar[]
}

/** The end of an axis from zero that has room for all bars, values and intervals. */
export function barsEnd(groups: readonly BarGroup[]): number {
  return maxOf(
    groups.flatMap(({ bars }) =>
      bars.flatMap(({ value, values, interval }) => [value ?? 0, ...values, interval?.high ?? 0]),
    ),
    0,
  )
}

function compared(row: ComparedRow | undefined): Pick<Bar, 'interval' | 'changePercent' | 'verdict'> {
  const interval = row?.interval ?? null
  return {
    interval:
      row === undefined || interval === null ? null : { low: row.off * interval.low, high: row.off * interval.high },
    changePercent: row?.changePercent ?? null,
    verdict: row?.role === 'verdict' ? row.verdict : null,
  }
}

/**
 * All arms of one case side by side; null if no measurement has the metric.
 *
 * @param taken without warm-ups
 */
export function armBars(
  { arms }: ExperimentPlan,
  of: TestCase,
  metric: MetricId,
  taken: readonly Measurement[],
  comparisons: readonly CaseComparison[],
): BarGroup | null {
  const bars = arms.map(({ id, label }, place): Bar => {
    const own = taken.filter((one) => one.arm === id && isOfCase(one, of))
    const values = valuesOf(own, metric)
    const row = comparisons
      .find((one) => isOfCase(one, of) && one.arm === id)
      ?.comparison.rows.find((one) => one.metric === metric)
    const value = values.length === 0 ? null : median(values)
    return { arm: id, label, hue: armHue(id, place), value, values, ...compared(row) }
  })
  return bars.some(({ value }) => value !== null) ? { heading: '', metric, bars } : null
}

/** The main metric of every case. @param taken without warm-ups */
export function mainBars(
  plan: ExperimentPlan,
  taken: readonly Measurement[],
  comparisons: readonly CaseComparison[],
): BarGroup[] {
  return plan.cases.flatMap((of) => {
    const measured = taken.find((one) => isOfCase(one, of))
    const [metric] = benchmarkKind(of.benchmark, measured?.values ?? {}).beside
    const found = metric === undefined ? null : armBars(plan, of, metric, taken, comparisons)
    return found === null ? [] : [{ ...found, heading: `${of.label}: ${axisTitle(found.metric)}` }]
  })
}

/** Metrics with a common axis. */
export interface BarPanel {
  /** `Latency in µs, less is better`. */
  readonly title: string
  /** The unit of its ticks, and the divisor from the metrics' unit to it. */
  readonly unit: string
  readonly divisor: number
  readonly groups: readonly BarGroup[]
  /** In the unit of the axis. */
  readonly ticks: AxisTicks
}

/** The hues of the two sides of a comparison. */
export interface SideHues {
  readonly off: Hue
  readonly on: Hue
}

/**
 * Both sides of a comparison, in one panel per axis. Metrics that the comparison lacks are left out, and empty panels.
 *
 * @param hues of arms of a larger experiment; by default as if there were only these two
 */
export function comparedPanels(
  comparison: Comparison,
  hues: SideHues = { off: armHue(comparison.off.arm, 0), on: armHue(comparison.on.arm, 1) },
): BarPanel[] {
  const { tool, rows, off, on } = comparison
  const charts = chartsOf(
    tool,
    rows.map(({ metric }) => metric),
  )
  return charts.flatMap((panel): BarPanel[] => {
    const [first] = panel
    if (first === undefined) return []
    const { unit, divisor } = metricOf(first).axis
    const groups = rows.flatMap((row): BarGroup[] => {
      if (!panel.includes(row.metric)) return []
      const side = { arm: off.arm, label: off.name, hue: hues.off, value: row.off, values: row.offValues }
      const other = { arm: on.arm, label: on.name, hue: hues.on, value: row.on, values: row.onValues }
      const bars = [
        { ...side, ...compared(undefined) },
        { ...other, ...compared(row) },
      ]
      return [{ heading: metricOf(row.metric).name, metric: row.metric, bars }]
    })
    return [{ title: axisTitle(first), unit, divisor, groups, ticks: niceTicks((barsEnd(groups) / divisor) * 1.05) }]
  })
}
