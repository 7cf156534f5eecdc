/** One side of a comparison: a run, or one arm and case of an experiment's run. Pure. */
import { runId, type RunId } from '@expresslane/shared/events'
import type { TestCase } from '@expresslane/shared/experiment'
import { armId, type Measurement } from '@expresslane/shared/measurement'
import type { RepeatState, RunState } from '@expresslane/shared/run-state'
import { armLook } from '../theme.ts'

/** As a link names it: `RUN`, `RUN.ARM`, `RUN.ARM.CASE`. What is not named is null. */
export interface SideName {
  readonly run: RunId
  readonly arm: string | null
  readonly caseId: string | null
}

/** Null for what is none. */
export function parseSideName(text: string | null): SideName | null {
  const [run, arm, caseId, ...rest] = text?.split('.') ?? []
  const named = runId.safeParse(run)
  if (!named.success || rest.length > 0) return null
  // Arms and cases are named alike.
  if ([arm, caseId].some((one) => one !== undefined && !armId.safeParse(one).success)) return null
  return { run: named.data, arm: arm ?? null, caseId: caseId ?? null }
}

export function formatSideName({ run, arm, caseId }: SideName): string {
  return [run, arm, caseId].filter((part) => part !== null).join('.')
}

export interface Choice {
  readonly id: string
  readonly label: string
}

/** What a run has measured, to choose from. */
export interface Choices {
  readonly arms: readonly Choice[]
  readonly cases: readonly Choice[]
}

function distinct(values: readonly (string | null)[]): string[] {
  return [...new Set(values.filter((value) => value !== null))]
}

function measuredIn({ repeats }: RunState): RepeatState[] {
  return repeats.filter(({ measurement }) => measurement !== null)
}

function armLabel({ plan }: RunState, id: string): string {
  return plan?.arms.find((arm) => arm.id === id)?.label ?? armLook(id).name
}

function caseOf({ plan }: RunState, id: string | null): TestCase | null {
  return plan?.cases.find((one) => one.id === id) ?? null
}

export function choicesOf(run: RunState): Choices {
  const measured = measuredIn(run)
  return {
    arms: distinct(measured.map(({ arm }) => arm)).map((id) => ({ id, label: armLabel(run, id) })),
    cases: distinct(measured.map(({ caseId }) => caseId)).map((id) => ({ id, label: caseOf(run, id)?.label ?? id })),
  }
}

/** The one that is named; without a name the only one there is. */
function chosen(named: string | null, from: readonly Choice[]): Choice | null {
  if (named !== null) return from.find(({ id }) => id === named) ?? null
  return from.length === 1 ? (from[0] ?? null) : null
}

export interface Side {
  readonly run: RunState
  readonly arm: Choice
  /** Null in a run that measured one thing. */
  readonly measuredCase: Choice | null
  /** In the order taken, with what was thrown away. */
  readonly taken: readonly Measurement[]
  /** As planned for each. */
  readonly seconds: number
}

/** Null where the run has several and the name does not say which, or says one that it lacks. */
export function sideOf(run: RunState, { arm: namedArm, caseId }: Pick<SideName, 'arm' | 'caseId'>): Side | null {
  const { arms, cases } = choicesOf(run)
  const arm = chosen(namedArm, arms)
  const measuredCase = chosen(caseId, cases)
  if (arm === null || (measuredCase === null && cases.length > 0)) return null
  const of = measuredIn(run).filter(
    (one) => one.arm === arm.id && (measuredCase === null || one.caseId === measuredCase.id),
  )
  const [first] = of
  if (first === undefined) return null
  const taken = of.flatMap(({ measurement }) => measurement ?? [])
  return { run, arm, measuredCase, taken, seconds: first.seconds }
}
