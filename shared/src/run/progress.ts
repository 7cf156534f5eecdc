/** A session's progress, derived from its runs: nothing about it is stored twice. */
import type { Lab, Step } from '../labs/lab.ts'
import type { Measurement } from '../measure/measurement.ts'
import type { ErrorCode } from '../wire/errors.ts'
import { RESET_STEP } from './events.ts'
import { hasPassed, hasStarted, isOpen, measurementsOf, type RunState } from './run-state.ts'

/**
 * - `open`: not run in this walk
 * - `stale`: it passed, but the testbed was rebuilt or its pods were lost, so its effect is gone, or the arms that it
 *   compared were measured again
 * - `ended`: the last run failed, was cancelled or interrupted, or its check did not pass
 */
export type StepStatus = 'read' | 'open' | 'queued' | 'running' | 'passed' | 'stale' | 'ended'

export interface StepProgress {
  step: Step
  status: StepStatus
  /** The latest run of this step in the current walk. */
  run: RunState | null
}

/**
 * Runs of the current walk, oldest first: those after the last completed reset. A testbed has one run at a time, so a
 * session's runs never overlap and `seq` orders them.
 */
export function currentWalk(runs: readonly RunState[]): RunState[] {
  // A run that was cancelled in the queue did nothing.
  const ordered = runs.filter((run) => hasStarted(run) || isOpen(run)).toSorted((a, b) => a.lastSeq - b.lastSeq)
  const reset = ordered.findLastIndex((run) => run.stepId === RESET_STEP && hasPassed(run))
  return ordered.slice(reset + 1)
}

/** Steps that leave something on the testbed, which a rebuilt testbed no longer has. */
function leavesAnEffect(step: Step): boolean {
  return step.action?.kind === 'deploy' || step.action?.kind === 'switch'
}

/** Steps that need what earlier steps left on the testbed. */
function needsAnEffect({ action }: Step): boolean {
  return action?.kind === 'read' || action?.kind === 'measure'
}

/** Were its arms measured again after the comparison? */
function isOutdated(step: Step, run: RunState, walk: readonly RunState[]): boolean {
  if (step.action?.kind !== 'compare') return false
  return walk.some((one) => one.lastSeq > run.lastSeq && one.repeats.some(({ measurement }) => measurement !== null))
}

/** The codes of a run that needed pods and found none, or lost them. */
const podsGone: ReadonlySet<ErrorCode | undefined> = new Set(['testbed_gone', 'step_not_ready'])

/** Did a later run miss its pods before a new deploy? Then somebody removed them without a rebuild. */
function hasLostItsPods(lab: Lab, step: Step, run: RunState, walk: readonly RunState[]): boolean {
  if (step.action?.kind !== 'deploy') return false
  const stepOf = (one: RunState): Step | undefined => lab.steps.find(({ id }) => id === one.stepId)
  const later = walk.filter((one) => one.lastSeq > run.lastSeq)
  const replaced = later.findIndex((one) => stepOf(one)?.action?.kind === 'deploy')
  const whileThere = replaced < 0 ? later : later.slice(0, replaced)
  return whileThere.some((one) => {
    const used = stepOf(one)
    return used !== undefined && needsAnEffect(used) && podsGone.has(one.problem?.code)
  })
}

function statusOf(
  lab: Lab,
  step: Step,
  run: RunState | null,
  walk: readonly RunState[],
  incarnation: string | null,
): StepStatus {
  if (step.action === null) return 'read'
  if (run === null) return 'open'
  if (run.state === 'queued' || run.state === 'running') return run.state
  if (!hasPassed(run)) return 'ended'
  if (isOutdated(step, run, walk) || hasLostItsPods(lab, step, run, walk)) return 'stale'
  const rebuilt = incarnation !== null && run.incarnation !== incarnation
  return rebuilt && leavesAnEffect(step) ? 'stale' : 'passed'
}

/**
 * A walk's progress, one entry per step.
 *
 * @param incarnation the testbed's current one; null if it is unknown, and then nothing is stale
 */
export function sessionProgress(lab: Lab, runs: readonly RunState[], incarnation: string | null): StepProgress[] {
  const walk = currentWalk(runs)
  return lab.steps.map((step) => {
    const run = walk.findLast((one) => one.stepId === step.id) ?? null
    return { step, status: statusOf(lab, step, run, walk, incarnation), run }
  })
}

/** An arm's latest completed measuring run in the current walk; null when there is none. */
export function armRun(lab: Lab, runs: readonly RunState[], arm: string): RunState | null {
  const steps = new Set(
    lab.steps.filter((step) => step.action?.kind === 'measure' && step.action.arm === arm).map((step) => step.id),
  )
  return currentWalk(runs).findLast((run) => steps.has(run.stepId) && run.state === 'completed') ?? null
}

/** The measurements of {@link armRun}, in the order taken; empty if there is no such run. */
export function armMeasurements(lab: Lab, runs: readonly RunState[], arm: string): Measurement[] {
  const run = armRun(lab, runs, arm)
  return run === null ? [] : measurementsOf(run)
}

/** Did a later Restore remove its pods or sizes? A finished walk is still done, but a step back needs them. */
function isTakenBack({ step, run }: StepProgress, progress: readonly StepProgress[]): boolean {
  const restored = progress.findLast((one) => one.step.action?.kind === 'restore' && one.status === 'passed')?.run
  if (run === null || restored === null || restored === undefined) return false
  return leavesAnEffect(step) && run.lastSeq < restored.lastSeq
}

/**
 * The steps that Solve runs to have everything up to and including `target` done: those
 * with an action that have not passed, and everything after the first stale one. For a target
 * that needs pods, steps that Restore has undone count as stale.
 */
export function stepsToSolve(progress: readonly StepProgress[], target: string): Step[] {
  const last = progress.findIndex(({ step }) => step.id === target)
  const upTo = progress.slice(0, last + 1)
  const needs = upTo.at(-1)?.step
  const goesBack = needs !== undefined && needsAnEffect(needs)
  const gone = (one: StepProgress): boolean => one.status === 'stale' || (goesBack && isTakenBack(one, progress))
  const stale = upTo.findIndex(gone)
  return upTo
    .filter(({ status }, index) => status !== 'read' && (status !== 'passed' || (stale >= 0 && index >= stale)))
    .map(({ step }) => step)
}
