/** A sweep's comparisons as a map of arms by cases, and where a larger limit stops to pay. Pure. */
import type { CaseComparison, ComparedRow } from '@expresslane/shared/compare/comparison'
import type { ExperimentPlan } from '@expresslane/shared/measure/experiment'
import type { SweepLine } from '../charts/sweep/cells.ts'
import { byLimit } from './kind.ts'

function mainRow(comparisons: readonly CaseComparison[], caseId: string, arm: string): ComparedRow | null {
  return comparisons.find((one) => one.caseId === caseId && one.arm === arm)?.comparison.rows[0] ?? null
}

/** A line a case, a cell an arm. */
export function sweepLines(plan: ExperimentPlan, comparisons: readonly CaseComparison[]): SweepLine[] {
  const arms = byLimit(plan.arms)
  return plan.cases.map((of) => ({
    of,
    cells: arms.map(({ id, label }) => ({
      arm: id,
      label,
      row: mainRow(comparisons, of.id, id),
      baseline: id === plan.arms[0]?.id,
    })),
  }))
}

/** The rule of {@link payoff}, for people. */
export const payoffRule =
  'A larger limit pays where it is an improvement, and the whole 95 % interval of its ratio lies above the ratio of the last limit that paid.'

export interface Payoff {
  /** The largest limit that paid; the baseline's where none did; null where too little was measured to tell. */
  readonly arm: string | null
  readonly sentence: string
}

/**
 * Where a larger limit stops to pay. Going up from the baseline, a limit pays where its verdict is an improvement and
 * the low end of its interval is above the ratio of the last limit that paid, 1 to begin with. Two larger limits are
 * not tested against each other, so a step that pays little may be missed or believed: the map shows the intervals.
 */
export function payoff({ cells }: SweepLine): Payoff {
  const others = cells.filter(({ baseline }) => !baseline)
  const known = others.flatMap(({ label, row }) =>
    row?.interval === null || row?.interval === undefined ? [] : [{ label, row, interval: row.interval }],
  )
  if (known.length < others.length || known.length === 0) return { arm: null, sentence: 'Too few runs to tell yet.' }
  const first = cells.find(({ baseline }) => baseline)?.label ?? 'the first'
  let [last, ratio] = [first, 1]
  for (const { label, row, interval } of known) {
    if (row.verdict === 'improved' && interval.low > ratio) [last, ratio] = [label, row.ratio]
  }
  const worse = known.filter(({ row }) => row.verdict === 'worse').map(({ label }) => label)
  const but = worse.length === 0 ? '' : ` Worse than ${first} at ${worse.join(' and ')}.`
  if (last === first) return { arm: first, sentence: `Nothing beyond ${first} pays.${but}` }
  const gain = `+${((ratio - 1) * 100).toFixed(0)} %`
  const sentence =
    last === known.at(-1)?.label
      ? `Still pays at ${last}, the largest measured: ${gain} against ${first}.`
      : `Stops to pay at ${last}: ${gain} against ${first}.`
  return { arm: last, sentence: sentence + but }
}
