/**
 * A solve: the chain of a session's runs up to a step. One of them is running or queued, and the steps that follow are
 * known. A step by hand and a reset are chains of one run.
 */
import { RESET_STEP, type RunId } from '@expresslane/shared/run/events'
import type { Lab, Step, StepParams } from '@expresslane/shared/labs/lab'
import { labOn } from '@expresslane/shared/labs/on-testbed'
import { kindOf } from '@expresslane/shared/testbed/id'
import type { RunRow } from '../../store/runs.ts'
import type { SharedResources } from '../../testbeds/resources.ts'
import type { Session } from '@expresslane/shared/wire/protocol'
import type { SolveContext } from '../perform/step-context.ts'
import { missingLab } from './plan.ts'

/** For a testbed that can't be read. Its step still runs and records the error; preflight shows what is missing. */
export const NO_INCARNATION = 'unavailable'

export interface SolveRun {
  readonly id: RunId
  /** Null for a reset. */
  readonly step: Step | null
  /** The testbed's, or {@link NO_INCARNATION}. */
  readonly incarnation: string
}

export interface Solve {
  readonly session: Session
  /** The person who started the solve: the session's owner, or an instructor who helps. */
  readonly person: string
  readonly lab: Lab
  readonly params: StepParams
  /** The step at its end; null for a step by hand and a reset. */
  readonly solveTo: string | null
  /** The resources that its runs need besides the testbed; null until known. */
  shared: SharedResources | null
  /** The steps after the current run. */
  remaining: Step[]
  /** Facts that its steps share; null for a step by hand. */
  readonly context: SolveContext | null
  /** The solve's runs so far. Cancelling an earlier run cancels the current run. */
  readonly runs: Set<RunId>
  /** The current run. */
  run: SolveRun
  /** For the current run. */
  controller: AbortController
  /** After this, no further step of it starts. */
  cancelled: boolean
  /** Resolves when the current run may start or was cancelled; null once it has started. */
  turn: PromiseWithResolvers<void> | null
  settled: Promise<void>
}

type Given = Pick<Solve, 'session' | 'person' | 'lab' | 'params' | 'solveTo' | 'shared' | 'run' | 'remaining'>

export function newSolve(given: Given): Solve {
  const context = given.solveTo === null ? null : { next: given.remaining, reading: null, replaced: false }
  const own = { context, runs: new Set([given.run.id]), controller: new AbortController(), cancelled: false }
  return { ...given, ...own, turn: null, settled: Promise.resolve() }
}

/** Rebuilds the solve of a queued run of an ended process; null if its lab or a step no longer exists. */
export function solveOfRow(row: RunRow, session: Session, found: Lab | undefined): Solve | null {
  const listed = found ?? (row.stepId === RESET_STEP ? missingLab(row.labId) : undefined)
  const lab = listed === undefined ? undefined : labOn(listed, kindOf(session.testbed))
  const stepOf = (id: string): Step | undefined => lab?.steps.find((step) => step.id === id)
  const step = row.stepId === RESET_STEP ? null : stepOf(row.stepId)
  const remaining = row.remaining.flatMap((id) => stepOf(id) ?? [])
  if (lab === undefined || step === undefined || remaining.length < row.remaining.length) return null
  const { id, person, incarnation, params, solveTo } = row
  return newSolve({ session, person, lab, params, solveTo, shared: null, run: { id, step, incarnation }, remaining })
}

/** Why a run's signal was aborted. */
class Cancelled extends Error {
  override readonly name = 'Cancelled'
}

/** Stops the current run, or its waiting. No further step starts. */
export function abortSolve(solve: Solve, why: string): void {
  solve.cancelled = true
  solve.controller.abort(new Cancelled(why))
  solve.turn?.resolve()
}
