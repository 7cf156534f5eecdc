/** A person's way through a lab, as the board shows it. Pure. */
import type { Comparison } from '@expresslane/shared/compare/comparison'
import { actionProperties } from '@expresslane/shared/labs/actions'
import type { Lab } from '@expresslane/shared/labs/lab'
import type { EpochMs, Family } from '@expresslane/shared/base/units'
import { RESET_STEP, type RunId } from '@expresslane/shared/run/events'
import type { RunState } from '@expresslane/shared/run/run-state'
import type { Session } from '@expresslane/shared/wire/protocol'
import type { Seat } from '@expresslane/shared/wire/board'
import type { RunRow } from '../store/runs.ts'

/** Folds a run's events. */
export type StateOf = (id: RunId) => RunState | null

export const hasPassed = (row: RunRow): boolean => row.state === 'completed' && row.result?.passed === true
export const isOpen = ({ state }: RunRow): boolean => state === 'queued' || state === 'running'

/** The latest run of each step since the last reset. A run that was cancelled in the queue did nothing. */
export function latestRuns(rows: readonly RunRow[]): RunRow[] {
  const reset = rows.findLastIndex((row) => row.stepId === RESET_STEP && hasPassed(row))
  const since = rows.slice(reset + 1).filter((row) => isOpen(row) || row.queuedAt === null)
  return [...new Map(since.map((row) => [row.stepId, row])).values()]
}

function failureOf(latest: readonly RunRow[], stateOf: StateOf): Seat['failed'] {
  const hasFailed = (row: RunRow): boolean => !isOpen(row) && row.state !== 'cancelled' && !hasPassed(row)
  const row = latest
    .filter(hasFailed)
    .toSorted((a, b) => a.startedAt - b.startedAt)
    .at(-1)
  if (row === undefined) return null
  const problem = row.result?.problem ?? null
  const sentence = problem?.message ?? stateOf(row.id)?.outcome?.sentence
  return { stepId: row.stepId, runId: row.id, problem, message: sentence ?? 'The step did not pass.' }
}

function openRun(latest: readonly RunRow[]): RunRow | undefined {
  const open = latest.filter(isOpen)
  return open.find(({ state }) => state === 'running') ?? open[0]
}

function runOf(latest: readonly RunRow[], stateOf: StateOf): Seat['run'] {
  const row = openRun(latest)
  if (row === undefined) return null
  const queue = row.state === 'queued' ? (stateOf(row.id)?.queue ?? null) : null
  const { place = null, expectedSeconds = null } = queue ?? {}
  return { runId: row.id, stepId: row.stepId, state: row.state, place, expectedSeconds }
}

export function passedStepsOf(lab: Lab, latest: readonly RunRow[]): string[] {
  const passed = new Set(latest.filter(hasPassed).map(({ stepId }) => stepId))
  return lab.steps.flatMap(({ id }) => (passed.has(id) ? [id] : []))
}

interface Compared {
  readonly family: Family
  readonly comparison: Comparison
  readonly at: EpochMs
}

/** The comparison of the last arm with the first, by the latest step that compares; null before any comparison. */
export function comparedIn(lab: Lab, latest: readonly RunRow[], stateOf: StateOf): Compared | null {
  const compares = new Set(
    lab.steps.flatMap(({ id, action }) => (actionProperties(action).compares === null ? [] : [id])),
  )
  const row = latest.findLast(({ stepId, state }) => compares.has(stepId) && state === 'completed')
  const run = row === undefined ? null : stateOf(row.id)
  const last = run?.comparisons.at(-1)
  const ofCase = run?.plan?.cases.find(({ id }) => id === last?.caseId)?.family
  const family = ofCase ?? latest.flatMap(({ result }) => result?.measured?.family ?? []).at(-1)
  if (row === undefined || last === undefined || family === undefined) return null
  return { family, comparison: last.comparison, at: row.startedAt }
}

/** By the comparison's main metric. */
function resultOf(compared: Compared | null): Seat['result'] {
  const [main] = compared?.comparison.rows ?? []
  if (compared === null || main === undefined) return null
  const { metric, ratio, interval } = main
  return { metric, family: compared.family, ratio, low: interval?.low ?? null, high: interval?.high ?? null }
}

/** The step that runs, or the first step that has not passed; null when all have. */
export function stepAt(lab: Lab, latest: readonly RunRow[]): string | null {
  const passed = passedStepsOf(lab, latest)
  const next = lab.steps.find(({ id, action }) => action !== null && !passed.includes(id))
  return openRun(latest)?.stepId ?? next?.id ?? null
}

/** @param rows the session's, oldest first */
export function seatOf(lab: Lab, session: Session, rows: readonly RunRow[], stateOf: StateOf): Seat {
  const latest = latestRuns(rows)
  return {
    sessionId: session.id,
    labId: session.labId,
    testbed: session.testbed,
    stepId: stepAt(lab, latest),
    passedSteps: passedStepsOf(lab, latest),
    failed: failureOf(latest, stateOf),
    run: runOf(latest, stateOf),
    result: resultOf(comparedIn(lab, latest, stateOf)),
  }
}
