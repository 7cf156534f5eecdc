/** An experiment's comparisons: every arm against the first, for each case, judged together. Pure. */
import { mainMetricOf, toolName } from '../features/metrics.ts'
import type { CaseComparison } from './comparison.ts'
import { compareArms } from './compare.ts'
import type { ExperimentPlan, Order } from '../measure/experiment.ts'
import type { Measurement } from '../measure/measurement.ts'
import type { MetricId } from '../measure/metrics.ts'
import { seriesOf, sharedTrend, measuredOnly } from './series.ts'
import { withoutTrend, type Trend } from './stats/trend.ts'
import { judgeTogether, type CaseValues } from './together.ts'

/** An arm and its measurements in the order taken, warm-ups included. */
export interface TakenArm {
  readonly id: string
  /** Within sentences. */
  readonly name: string
  readonly taken: readonly Measurement[]
}

/** Measurements of several arms in the same case. The other arms are compared with the first. */
export interface TakenCase {
  /** Null if each arm was measured in a separate step. */
  readonly caseId: string | null
  /** The subject of the sentences; null for none. */
  readonly subject: string | null
  /** Its tool's. */
  readonly main: MetricId
  readonly first: TakenArm
  readonly others: readonly TakenArm[]
}

type Trends = (metric: MetricId) => Trend | null

/** Each metric's trend is looked for once, however many arms share it. */
function trendsOf({ first, others }: TakenCase, order: Order): Trends {
  const known = new Map<MetricId, Trend | null>()
  return (metric) => {
    const before = known.get(metric)
    if (before !== undefined) return before
    const arms = [first, ...others].map(({ taken }) => taken).filter((taken) => taken.length > 0)
    const trend = order === 'interleaved' ? sharedTrend(arms, metric) : null
    known.set(metric, trend)
    return trend
  }
}

/** The main metric's values of each arm, without the trend that they share. */
function valuesOf({ first, others, main }: TakenCase, trends: Trends): CaseValues {
  const trend = trends(main)
  const of = ({ taken }: TakenArm): readonly number[] => {
    const measured = measuredOnly(taken)
    const series = seriesOf(
      measured,
      main,
      measured.map(({ repeat }) => repeat),
    )
    return trend === null ? series.values : withoutTrend(series, trend.slope, 0)
  }
  return { first: of(first), others: others.map((arm) => ({ arm: arm.id, values: of(arm) })) }
}

/**
 * Compares every arm with the first one of its case. Several comparisons are judged together ({@link judgeTogether}), so
 * that at most one experiment in twenty whose arms do not differ makes any claim.
 *
 * @param rows `main` compares only the main metric: an estimate during the experiment
 * @param only the arm whose comparisons to return, judged together with the others; null for all
 */
export function compareTogether(
  cases: readonly TakenCase[],
  order: Order,
  rows: 'main' | 'all',
  only: string | null = null,
): CaseComparison[] {
  const comparisons = cases.reduce((sum, { others }) => sum + others.length, 0)
  const trends = cases.map((one) => trendsOf(one, order))
  const joint =
    comparisons < 2 ? [] : judgeTogether(cases.map((one, index) => valuesOf(one, trends[index] ?? (() => null))))
  return cases.flatMap(({ caseId, subject, main, first, others }, index) =>
    others.flatMap((arm) => {
      if (only !== null && arm.id !== only) return []
      const shared = trends[index]
      const comparison = compareArms(first.taken, arm.taken, {
        order,
        names: { off: first.name, on: arm.name },
        ...(subject === null ? {} : { subject }),
        ...(rows === 'main' ? { only: [main] } : {}),
        ...(shared === undefined ? {} : { trendOf: shared }),
        ...(comparisons < 2 ? {} : { family: { comparisons, joint: joint[index]?.get(arm.id) ?? null } }),
      })
      return comparison === null ? [] : [{ caseId, arm: arm.id, against: first.id, comparison }]
    }),
  )
}

/**
 * @param taken in the order taken, warm-ups included
 * @param rows as in {@link compareTogether}
 * @param only as in {@link compareTogether}
 */
export function compareCases(
  plan: ExperimentPlan,
  order: Order,
  taken: readonly Measurement[],
  rows: 'main' | 'all',
  only: string | null = null,
): CaseComparison[] {
  const [first, ...others] = plan.arms
  if (first === undefined) return []
  const cases = plan.cases.map((one): TakenCase => {
    const measured = taken.find((run) => run.caseId === one.id)
    const armOf = ({ id, label }: ExperimentPlan['arms'][number]): TakenArm => ({
      id,
      name: label,
      taken: taken.filter((run) => run.arm === id && run.caseId === one.id),
    })
    return {
      caseId: one.id,
      subject: `${one.label} (${toolName(one.benchmark)})`,
      main: mainMetricOf(one.benchmark, measured?.values ?? {}),
      first: armOf(first),
      others: others.map(armOf),
    }
  })
  return compareTogether(cases, order, rows, only)
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
