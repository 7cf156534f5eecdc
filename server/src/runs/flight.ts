/** What is under way on one testbed: a run, and the steps that a solve still has before it. */
import type { RunId } from '@expresslane/shared/run/events'
import type { Lab, Step, StepParams } from '@expresslane/shared/labs/lab'
import type { Session } from '@expresslane/shared/wire/protocol'

export interface FlightRun {
  readonly id: RunId
  /** Null for a reset. */
  readonly step: Step | null
  readonly incarnation: string
}

export interface Flight {
  readonly session: Session
  readonly lab: Lab
  readonly params: StepParams
  readonly solveTo: string | null
  /** Steps after the present run's. */
  readonly remaining: Step[]
  /** Every run of this flight so far: a cancel that names an earlier one means the present one. */
  readonly runs: Set<RunId>
  run: FlightRun
  /** The present run's own. */
  controller: AbortController
  /** Once cancelled nothing of the flight starts any more. */
  cancelled: boolean
  settled: Promise<void>
}

/** Why a run's signal was aborted. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled'
}
