/** The comparisons of a sweep: one line for each case, one cell for each arm. Pure. */
import type { CaseComparison, ComparedRow } from '../compare/comparison.ts'
import { ranked } from '../features/sweep.ts'
import type { ExperimentPlan, TestCase } from '../measure/experiment.ts'

export interface SweepCell {
  readonly arm: string
  readonly label: string
  /** Compared with the first arm; null before it is compared. */
  readonly row: ComparedRow | null
  /** Whether this is the first arm, which the others are compared with. */
  readonly baseline: boolean
}

export interface SweepLine {
  readonly of: TestCase
  /** In the order of the feature's sweep. */
  readonly cells: readonly SweepCell[]
}

/** The main metric of every arm compared with the first. */
export function sweepLines(plan: ExperimentPlan, comparisons: readonly CaseComparison[]): SweepLine[] {
  const arms = ranked(plan.arms)
  const mainRow = (caseId: string, arm: string): ComparedRow | null =>
    comparisons.find((one) => one.caseId === caseId && one.arm === arm)?.comparison.rows[0] ?? null
  return plan.cases.map((of) => ({
    of,
    cells: arms.map(({ id, label }) => ({
      arm: id,
      label,
      row: mainRow(of.id, id),
      baseline: id === plan.arms[0]?.id,
    })),
  }))
}
