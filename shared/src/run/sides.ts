/** A side of a comparison: a run, or an arm and case of an experiment's run. Pure. */
import { runId, type RunId } from './events.ts'
import { armNameOf } from '../features/arms.ts'
import type { ArmPlan } from '../measure/experiment.ts'
import type { Measurement } from '../measure/measurement.ts'
import type { RepeatState, RunState } from './run-state.ts'

/** A side's name in a link: `RUN`, `RUN.ARM`, `RUN.ARM.CASE`. Missing parts are null. */
export interface SideName {
  readonly run: RunId
  readonly arm: string | null
  readonly caseId: string | null
}

/** {@link SideName} as text; arms and cases have the same form. */
export const SIDE_NAME = /^r_[0-9a-z]{8,40}(\.[a-z0-9][a-z0-9-]{0,60}){0,2}$/

/** Null for any other text. */
export function parseSideName(text: string | null): SideName | null {
  if (text === null || !SIDE_NAME.test(text)) return null
  const [run, arm = null, caseId = null] = text.split('.')
  return { run: runId.parse(run), arm, caseId }
}

export function formatSideName({ run, arm, caseId }: SideName): string {
  return [run, arm, caseId].filter((part) => part !== null).join('.')
}

export interface Choice {
  readonly id: string
  readonly label: string
}

/** The measured arms and cases of a run, to choose from. */
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

/**
 * An arm's name: from the run's plan, from the lab, or from the settings of its measurements; else its id.
 *
 * @param arms the lab's, if it is known
 */
export function armLabel(run: Pick<RunState, 'plan' | 'repeats'>, id: string, arms: readonly ArmPlan[] = []): string {
  const planned = [...(run.plan?.arms ?? []), ...arms].find((arm) => arm.id === id)
  const measured = run.repeats.find(({ arm, measurement }) => arm === id && measurement !== null)?.measurement
  return planned?.label ?? (measured ? armNameOf(measured) : null) ?? id
}

function caseLabel({ plan }: RunState, id: string): string {
  return plan?.cases.find((one) => one.id === id)?.label ?? id
}

export function choicesOf(run: RunState): Choices {
  const measured = measuredIn(run)
  return {
    arms: distinct(measured.map(({ arm }) => arm)).map((id) => ({ id, label: armLabel(run, id) })),
    cases: distinct(measured.map(({ caseId }) => caseId)).map((id) => ({ id, label: caseLabel(run, id) })),
  }
}

/** The named choice; without a name, the only choice. */
function chosen(named: string | null, from: readonly Choice[]): Choice | null {
  if (named !== null) return from.find(({ id }) => id === named) ?? null
  return from.length === 1 ? (from[0] ?? null) : null
}

export interface Side {
  readonly run: RunState
  readonly arm: Choice
  /** Null in a run without cases. */
  readonly measuredCase: Choice | null
  /** In the order taken, warm-ups included. */
  readonly taken: readonly Measurement[]
  /** Planned seconds of each run. */
  readonly seconds: number
}

/** Null if the name is ambiguous, or if the run has no such arm or case. */
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

/** A single pair if both names are complete; otherwise a pair for each arm and case that both runs have. */
export function pairsOf(
  before: RunState,
  was: Pick<SideName, 'arm' | 'caseId'>,
  after: RunState,
  is: Pick<SideName, 'arm' | 'caseId'>,
): { readonly before: Side; readonly after: Side }[] {
  const [one, other] = [sideOf(before, was), sideOf(after, is)]
  if (one !== null && other !== null) return [{ before: one, after: other }]
  const { arms, cases } = choicesOf(before)
  return arms.flatMap(({ id: arm }) =>
    (cases.length === 0 ? [null] : cases.map(({ id }) => id)).flatMap((caseId) => {
      const pair = [sideOf(before, { arm, caseId }), sideOf(after, { arm, caseId })] as const
      return pair[0] === null || pair[1] === null ? [] : [{ before: pair[0], after: pair[1] }]
    }),
  )
}
