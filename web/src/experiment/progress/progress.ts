/** The progress of an experiment. Pure. */
import { widestInterval } from '@expresslane/shared/compare/cases'
import { runsOf, type ArmPlan, type ExperimentPlan, type TestCase } from '@expresslane/shared/measure/experiment'
import type { RepeatState, RunState } from '@expresslane/shared/run/run-state'

export type Pip = 'warmup' | 'measured' | 'now' | 'open'

export interface GridCell {
  readonly arm: string
  /** A pip per run: warm-up runs, measured runs, the current run, remaining runs. */
  readonly pips: readonly Pip[]
  readonly measured: number
  readonly planned: number
}

export interface GridLine {
  readonly of: TestCase
  readonly cells: readonly GridCell[]
}

function cellOf(plan: ExperimentPlan, arm: ArmPlan, of: TestCase, run: RunState): GridCell {
  const own = run.repeats.filter((one) => one.arm === arm.id && one.caseId === of.id)
  const begun = own.flatMap((one): Pip[] => {
    if (one.measurement !== null) return [one.warmup ? 'warmup' : 'measured']
    // A cancelled or failed run has no measurement.
    return run.state === 'running' ? ['now'] : []
  })
  const planned = plan.design.repeats + plan.design.warmups
  const open = Array.from({ length: Math.max(0, planned - begun.length) }, (): Pip => 'open')
  return {
    arm: arm.id,
    pips: [...begun, ...open],
    measured: begun.filter((one) => one === 'measured').length,
    planned: plan.design.repeats,
  }
}

/** A line per case, a cell per arm. */
export function progressGrid(plan: ExperimentPlan, run: RunState): GridLine[] {
  return plan.cases.map((of) => ({ of, cells: plan.arms.map((arm) => cellOf(plan, arm, of, run)) }))
}

export interface Present {
  readonly repeat: RepeatState
  readonly arm: string
  readonly of: string
}

/** The current run; null between runs and after the last. */
export function presentRun(plan: ExperimentPlan, run: RunState): Present | null {
  const repeat = run.repeats.at(-1)
  if (run.state !== 'running' || repeat === undefined || repeat.measurement !== null) return null
  const name = (list: readonly { id: string; label: string }[], id: string | null): string =>
    list.find((one) => one.id === id)?.label ?? id ?? ''
  return { repeat, arm: name(plan.arms, repeat.arm), of: name(plan.cases, repeat.caseId) }
}

export interface Pace {
  readonly done: number
  readonly total: number
  readonly elapsedSeconds: number
  /** Estimated from the runs so far; null before the first has ended, and with a budget. */
  readonly leftSeconds: number | null
}

/** @param now in ms, on the clock of `run.startedAt` */
export function paceOf(plan: ExperimentPlan, run: RunState, now: number): Pace {
  const done = run.repeats.filter(({ measurement }) => measurement !== null).length
  const total = Math.max(runsOf(plan), run.repeats.length)
  const elapsedSeconds = Math.max(0, (run.endedAt ?? now) - run.startedAt) / 1000
  const each = done === 0 ? null : elapsedSeconds / done
  const known = each !== null && plan.design.budget === null
  return { done, total, elapsedSeconds, leftSeconds: known ? each * (total - done) : null }
}

export interface BudgetState {
  /** The widest interval of the main metric so far, in percent of its ratio; null while an interval is unknown. */
  readonly widthPercent: number | null
  readonly wantedPercent: number
  readonly seconds: number
}

/** Null without a budget. */
export function budgetOf({ design: { budget } }: ExperimentPlan, run: RunState): BudgetState | null {
  if (budget === null) return null
  return {
    widthPercent: widestInterval(run.comparisons),
    wantedPercent: budget.widthPercent,
    seconds: budget.seconds,
  }
}
