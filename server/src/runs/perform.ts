/** The step interpreter: what each kind of action does on a testbed. */
import type { RunEvent } from '@expresslane/shared/events'
import type { Lab, Step, StepParams } from '@expresslane/shared/lab'
import type { FamilySetting } from '@expresslane/shared/reading'
import type { RunState } from '@expresslane/shared/run-state'
import type { EpochMs } from '@expresslane/shared/units'
import type { Testbed } from '../testbeds/testbed.ts'

/** The settings that a testbed had before Expresslane first changed them; kept in the store. */
export interface Snapshot {
  read(): FamilySetting | null
  /** Keeps `setting` unless one is kept already. */
  keep(setting: FamilySetting): void
  clear(): void
}

/** All that one step's action may use. */
export interface Performance {
  readonly testbed: Testbed
  readonly lab: Lab
  /** Null for a reset. */
  readonly step: Step | null
  readonly params: StepParams
  /** The session's earlier runs, oldest first. */
  readonly earlier: readonly RunState[]
  readonly snapshot: Snapshot
  readonly signal: AbortSignal
  now(): EpochMs
  emit(event: RunEvent): void
}

/**
 * Performs a step and emits what happens, `step.checked` last. The caller emits
 * `run.started` and `run.ended`.
 *
 * @throws LabError when the action could not be done; `signal.reason` when cancelled
 */
export function perform(performance: Performance): Promise<void> {
  return Promise.reject(new Error(`not built: ${performance.step?.id}`))
}
