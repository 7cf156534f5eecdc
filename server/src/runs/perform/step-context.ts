/** The input and the result of a step's action. */
import type { RunEvent } from '@expresslane/shared/run/events'
import type { Observation } from '@expresslane/shared/run/observation'
import type { Action, Lab, Step, StepParams } from '@expresslane/shared/labs/lab'
import type { Settings } from '@expresslane/shared/measure/settings'
import type { DatapathState } from '@expresslane/shared/testbed/reading'
import type { RunState } from '@expresslane/shared/run/run-state'
import type { EpochMs } from '@expresslane/shared/measure/units'
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

/** Everything that a step's action can use. It is also the `CallContext` of a testbed. */
export interface StepContext {
  readonly testbed: Testbed
  readonly lab: Lab
  /** Null for a reset. */
  readonly step: Step | null
  readonly params: StepParams
  /** The session's earlier runs that show its walk, oldest first. Reads them, so only steps that need them ask. */
  readonly earlier: () => readonly RunState[]
  readonly snapshot: Snapshot
  readonly signal: AbortSignal
  now(): EpochMs
  emit(event: RunEvent): void
}

/** The result of an action: whether it worked, as a sentence and as observed values. */
export interface Finding {
  readonly passed: boolean
  readonly sentence: string
  readonly observations: Observation[]
  /** Replaces the step's hint. */
  readonly hint?: string
}

/** One kind of action. */
export type Act<K extends Action['kind']> = (
  action: Extract<Action, { kind: K }>,
  context: StepContext,
) => Promise<Finding>

/** Reads the path and emits the reading. */
export async function readPath(context: StepContext): Promise<DatapathState> {
  const datapath = await context.testbed.read(context)
  context.emit({ type: 'datapath.read', datapath })
  return datapath
}

/** A finding that passes when every observation does. Without observations nothing was checked, so it does not pass. */
export function judge(observations: Observation[], good: string, bad: (wrong: number) => string): Finding {
  if (observations.length === 0) return { passed: false, sentence: NOTHING_CHECKED, observations }
  const wrong = observations.filter((one) => !one.ok).length
  return { passed: wrong === 0, sentence: wrong === 0 ? good : bad(wrong), observations }
}

/**
 * A finding from a feature's proof. A feature can have nothing to prove for a tool, because the tool's values do not
 * depend on the settings. That is not a failure, because the path was read back when it was set; the sentence mentions
 * it.
 */
export function judgeProof(observations: Observation[], good: string, bad: (wrong: number) => string): Finding {
  if (observations.length === 0) return { passed: true, sentence: `${good} ${NOTHING_TO_PROVE}`, observations }
  return judge(observations, good, bad)
}
