/** A running or queued run on one testbed, with the steps that follow in its solve. */
import { RESET_STEP, type RunId } from '@expresslane/shared/run/events'
import type { Lab, Step, StepParams } from '@expresslane/shared/labs/lab'
import { labOn } from '@expresslane/shared/labs/on-testbed'
import { kindOf } from '@expresslane/shared/testbed/id'
import type { RunRow } from '../../store/runs.ts'
import type { SharedResources } from '../../testbeds/resources.ts'
import type { Session } from '@expresslane/shared/wire/protocol'
import type { Solve } from '../perform/step-context.ts'
import { missingLab } from './plan.ts'

/** For a testbed that can't be read. Its step still runs and records the error; preflight shows what is missing. */
export const NO_INCARNATION = 'unavailable'

export interface FlightRun {
  readonly id: RunId
  /** Null for a reset. */
  readonly step: Step | null
  /** The testbed's, or {@link NO_INCARNATION}. */
  readonly incarnation: string
}

export interface Flight {
  readonly session: Session
  /** Who started it: the session's owner, or an instructor who helps. */
  readonly person: string
  readonly lab: Lab
  readonly params: StepParams
  readonly solveTo: string | null
  /** The resources that its runs need besides the testbed; null until known. */
  shared: SharedResources | null
  /** The steps after the current run. */
  remaining: Step[]
  /** What its steps know of each other; null for a step by hand. */
  readonly solve: Solve | null
  /** All runs of this flight so far. Cancelling an earlier one cancels the current one. */
  readonly runs: Set<RunId>
  run: FlightRun
  /** For the current run. */
  controller: AbortController
  /** After this, no further step of the flight starts. */
  cancelled: boolean
  /** Resolves when the current run may start or was cancelled; null once it has started. */
  turn: PromiseWithResolvers<void> | null
  settled: Promise<void>
}

type FlightOf = Pick<Flight, 'session' | 'person' | 'lab' | 'params' | 'solveTo' | 'shared' | 'run' | 'remaining'>

export function newFlight(of: FlightOf): Flight {
  const solve = of.solveTo === null ? null : { next: of.remaining, reading: null, replaced: false }
  const own = { solve, runs: new Set([of.run.id]), controller: new AbortController(), cancelled: false }
  return { ...of, ...own, turn: null, settled: Promise.resolve() }
}

/** Rebuilds the flight of a queued run of an ended process; null if its lab or a step no longer exists. */
export function flightOfRow(row: RunRow, session: Session, found: Lab | undefined): Flight | null {
  const listed = found ?? (row.stepId === RESET_STEP ? missingLab(row.labId) : undefined)
  const lab = listed === undefined ? undefined : labOn(listed, kindOf(session.testbed))
  const stepOf = (id: string): Step | undefined => lab?.steps.find((step) => step.id === id)
  const step = row.stepId === RESET_STEP ? null : stepOf(row.stepId)
  const remaining = row.remaining.map(stepOf)
  if (lab === undefined || step === undefined || remaining.includes(undefined)) return null
  const { id, person, incarnation, params, solveTo } = row
  const steps = remaining.filter((one) => one !== undefined)
  return newFlight({
    session,
    person,
    lab,
    params,
    solveTo,
    shared: null,
    run: { id, step, incarnation },
    remaining: steps,
  })
}

/** Why a run's signal was aborted. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled'
}
