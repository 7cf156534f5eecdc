/** The input and the result of a step's action. */
import type { RunEvent } from '@expresslane/shared/run/events'
import type { Observation } from '@expresslane/shared/base/observation'
import type { Action, Lab, Step, StepParams } from '@expresslane/shared/labs/lab'
import type { Settings } from '@expresslane/shared/base/settings'
import type { DatapathState } from '@expresslane/shared/testbed/reading'
import type { RunState } from '@expresslane/shared/run/run-state'
import type { EpochMs } from '@expresslane/shared/base/units'
import type { Testbed } from '../../testbeds/testbed.ts'

const NOTHING_CHECKED = 'No value was checked, so it is unknown whether this step worked.'
const NOTHING_TO_PROVE = 'Its values do not show whether the settings had an effect.'

/**
 * The settings that a testbed had before Expresslane first changed them; kept in the store. Each call throws a LabError
 * if it can't be read which testbed this is.
 */
export interface Snapshot {
  read(): Promise<Settings | null>
  /** Stores these settings, unless a snapshot exists already. */
  keep(settings: Settings): Promise<void>
  clear(): Promise<void>
}

/** A reading of this age can be that of the next step: nobody else changes the testbed during a solve. */
const FRESH_MS = 2000

/** Facts of a solve's other runs, for the run that goes on. */
export interface SolveContext {
  /** The steps that follow, in order. */
  next: readonly Step[]
  /** The last reading of the path; null if there is none. */
  reading: DatapathState | null
  /** Whether the pods were replaced by the switch, so that the next deploy can take them over. */
  replaced: boolean
}

/** Everything that a step's action can use. It is also the `CallContext` of a testbed. */
export interface StepContext {
  readonly testbed: Testbed
  readonly lab: Lab
  /** Null for a reset. */
  readonly step: Step | null
  readonly params: StepParams
  /** The session's earlier runs that still count, oldest first. Reads them, so only steps that need them ask. */
  readonly earlier: () => readonly RunState[]
  readonly snapshot: Snapshot
  /** Null for a step by hand. */
  readonly solve: SolveContext | null
  readonly signal: AbortSignal
  now(): EpochMs
  emit(event: RunEvent): void
}

/** The result of an action: whether it worked, as a sentence and as observed values. */
export interface ActionOutcome {
  readonly passed: boolean
  readonly sentence: string
  readonly observations: Observation[]
  /** The testbed can't do the step, and nothing was done. */
  readonly leftOut?: true
  /** Replaces the step's hint. */
  readonly hint?: string
}

/** An action of a kind. */
export type ActionOf<Kind extends Action['kind']> = Extract<Action, { kind: Kind }>

/** Performs the actions of a kind. */
export type Perform<Kind extends Action['kind']> = (
  action: ActionOf<Kind>,
  context: StepContext,
) => Promise<ActionOutcome>

/** Emits a reading, and keeps it for the next step of the solve. */
export function showPath(datapath: DatapathState, context: StepContext): DatapathState {
  context.emit({ type: 'datapath.read', datapath })
  if (context.solve !== null) context.solve.reading = datapath
  return datapath
}

/** Reads the path and emits the reading. */
export async function readPath(context: StepContext): Promise<DatapathState> {
  return showPath(await context.testbed.read(context), context)
}

/** The reading with which the previous step of the solve has ended, if it is fresh; otherwise a new one. */
export async function recentPath(context: StepContext): Promise<DatapathState> {
  const kept = isSlow(context) ? context.solve.reading : null
  return kept !== null && context.now() - kept.at <= FRESH_MS ? kept : context.testbed.read(context)
}

/** Is this a step of a solve, on a testbed where steps take seconds? */
export function isSlow(context: StepContext): context is StepContext & { readonly solve: SolveContext } {
  return context.solve !== null && context.testbed.primitives['quick-switch'] !== null
}

/** An outcome that passes when every observation does. Without observations nothing was checked, so it does not pass. */
export function judge(observations: Observation[], good: string, bad: (wrong: number) => string): ActionOutcome {
  if (observations.length === 0) return { passed: false, sentence: NOTHING_CHECKED, observations }
  const wrong = observations.filter((one) => !one.ok).length
  return { passed: wrong === 0, sentence: wrong === 0 ? good : bad(wrong), observations }
}

/**
 * An outcome from a feature's proof. A feature can have nothing to prove for a tool, because the tool's values do not
 * depend on the settings. That is not a failure, because the path was read back when it was set; the sentence mentions
 * it.
 */
export function judgeProof(observations: Observation[], good: string, bad: (wrong: number) => string): ActionOutcome {
  if (observations.length === 0) return { passed: true, sentence: `${good} ${NOTHING_TO_PROVE}`, observations }
  return judge(observations, good, bad)
}
