/** What is under way, or waits in line, on one testbed: a run, and the steps that a solve still has before it. */
import { RESET_STEP, type RunId } from '@expresslane/shared/run/events'
import type { Lab, Step, StepParams } from '@expresslane/shared/labs/lab'
import type { RunRow } from '../../store/runs.ts'
import type { SharedResources } from '../../testbeds/resources.ts'
import type { Session } from '@expresslane/shared/wire/protocol'
import { missingLab } from './plan.ts'

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
  /** What its runs need beside the testbed itself; null until it is read. */
  shared: SharedResources | null
  /** Steps after the present run's. */
  remaining: Step[]
  /** Every run of this flight so far: a cancel that names an earlier one means the present one. */
  readonly runs: Set<RunId>
  run: FlightRun
  /** The present run's own. */
  controller: AbortController
  /** Once cancelled nothing of the flight starts any more. */
  cancelled: boolean
  /** Resolves when the present run may start, or was cancelled; null once it has started. */
  turn: PromiseWithResolvers<void> | null
  settled: Promise<void>
}

type FlightOf = Pick<Flight, 'session' | 'lab' | 'params' | 'solveTo' | 'shared' | 'run' | 'remaining'>

export function newFlight(of: FlightOf): Flight {
  const own = { runs: new Set([of.run.id]), controller: new AbortController(), cancelled: false }
  return { ...of, ...own, turn: null, settled: Promise.resolve() }
}

/** Of a queued run whose process is gone; null where this server has not its lab or one of its steps. */
export function flightOfRow(row: RunRow, session: Session, found: Lab | undefined): Flight | null {
  const lab = found ?? (row.stepId === RESET_STEP ? missingLab(row.labId) : undefined)
  const stepOf = (id: string): Step | undefined => lab?.steps.find((step) => step.id === id)
  const step = row.stepId === RESET_STEP ? null : stepOf(row.stepId)
  const remaining = row.remaining.map(stepOf)
  if (lab === undefined || step === undefined || remaining.includes(undefined)) return null
  const { id, incarnation, params, solveTo } = row
  const steps = remaining.filter((one) => one !== undefined)
  return newFlight({ session, lab, params, solveTo, shared: null, run: { id, step, incarnation }, remaining: steps })
}

/** Why a run's signal was aborted. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled'
}
