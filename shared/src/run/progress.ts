/** A session's progress, derived from its runs: nothing about it is stored twice. */
import { actionProperties, type ActionProperties } from '../labs/actions.ts'
import type { Lab, Step } from '../labs/lab.ts'
import type { Measurement } from '../measure/measurement.ts'
import type { PlacementVariant } from '../testbed/placement.ts'
import { hasPassed, measurementsOf, type RunState } from './run-state.ts'
import { podsGone, factsOfRun, sinceReset, type RunFacts } from './run-facts.ts'

/**
 * - `open`: not run since the last reset
 * - `stale`: it passed, but the testbed was rebuilt or its pods were lost, so its effect is gone, or the arms that it
 *   compared were measured again
 * - `ended`: the last run failed, was cancelled or interrupted, or its check did not pass
 */
export type StepStatus = 'read' | 'open' | 'queued' | 'running' | 'passed' | 'stale' | 'ended'

export interface StepProgress<Run = RunState> {
  step: Step
  status: StepStatus
  /** The latest run of this step since the last reset. */
  run: Run | null
}

/** The runs after the session's last completed reset, oldest first. */
export function runsSinceReset(runs: readonly RunState[]): RunState[] {
  const byId = new Map(runs.map((run) => [run.id, run]))
  return sinceReset(runs.map(factsOfRun)).runs.flatMap(({ id }) => byId.get(id) ?? [])
}

/** Counts the steps with an action that have a run that passed since the last reset, and all steps with an action. */
export function stepsDone({ steps }: Pick<Lab, 'steps'>, runs: readonly RunFacts[]): { done: number; of: number } {
  const passed = new Set(sinceReset(runs).runs.flatMap((run) => (run.passed ? [run.stepId] : [])))
  const toDo = steps.filter(({ action }) => action !== null)
  return { done: toDo.filter(({ id }) => passed.has(id)).length, of: toDo.length }
}

/** True if a lab has steps with an action, and all are done. */
export function isComplete(lab: Pick<Lab, 'steps'>, runs: readonly RunFacts[]): boolean {
  const { done, of } = stepsDone(lab, runs)
  return of > 0 && done === of
}

/** True while people can answer a step's question: until the session has the comparison. A reset asks again. */
export function isOpenFor(stepId: string, runs: readonly RunState[]): boolean {
  return !runsSinceReset(runs).some((run) => run.stepId === stepId && (run.comparisons.length > 0 || hasPassed(run)))
}

/**
 * Where a deploy step places its pods unless the learner chooses: as earlier in this session, otherwise as the lab asks for.
 *
 * @param ofLab null if it does not matter to the lab
 */
export function usualPlacement(runs: readonly RunState[], ofLab: PlacementVariant | null): PlacementVariant {
  const before = runsSinceReset(runs).findLast((run) => run.placement !== null)?.placement?.variant
  return before ?? ofLab ?? 'other-node'
}

/** Steps that leave something on the testbed, which a rebuilt testbed no longer has. */
function leavesAnEffect({ action }: Step): boolean {
  return actionProperties(action).leaves !== null
}

/** Were its arms measured again after the comparison? */
function isOutdated({ action }: Step, run: RunFacts, runs: readonly RunFacts[]): boolean {
  if (actionProperties(action).compares !== 'earlier') return false
  return runs.some((one) => one.lastSeq > run.lastSeq && one.measured)
}

/** Did a later run miss its pods before a new deploy? Then somebody removed them without a rebuild. */
function hasLostItsPods(lab: Lab, { action }: Step, run: RunFacts, runs: readonly RunFacts[]): boolean {
  if (actionProperties(action).leaves !== 'pods') return false
  const doneBy = ({ stepId }: RunFacts): ActionProperties =>
    actionProperties(lab.steps.find(({ id }) => id === stepId)?.action)
  const later = runs.filter((one) => one.lastSeq > run.lastSeq)
  const replaced = later.findIndex((one) => doneBy(one).leaves === 'pods')
  const whileThere = replaced < 0 ? later : later.slice(0, replaced)
  return whileThere.some((one) => doneBy(one).needsPods && one.problem !== null && podsGone.has(one.problem))
}

function statusOf(
  lab: Lab,
  step: Step,
  run: RunFacts | null,
  runs: readonly RunFacts[],
  incarnation: string | null,
): StepStatus {
  if (step.action === null) return 'read'
  if (run === null) return 'open'
  if (run.state === 'queued' || run.state === 'running') return run.state
  if (!run.passed) return 'ended'
  if (isOutdated(step, run, runs) || hasLostItsPods(lab, step, run, runs)) return 'stale'
  const rebuilt = incarnation !== null && run.incarnation !== incarnation
  return rebuilt && leavesAnEffect(step) ? 'stale' : 'passed'
}

/**
 * A session's progress, one entry per step.
 *
 * @param incarnation the testbed's current incarnation; null if it is unknown, and then nothing is stale
 */
export function progressOf(lab: Lab, runs: readonly RunFacts[], incarnation: string | null): StepProgress<RunFacts>[] {
  const current = sinceReset(runs).runs
  return lab.steps.map((step) => {
    const run = current.findLast((one) => one.stepId === step.id) ?? null
    return { step, status: statusOf(lab, step, run, current, incarnation), run }
  })
}

/** {@link progressOf} from the states of the runs. */
export function sessionProgress(lab: Lab, runs: readonly RunState[], incarnation: string | null): StepProgress[] {
  const byId = new Map(runs.map((run) => [run.id, run]))
  return progressOf(lab, runs.map(factsOfRun), incarnation).map((one) => ({
    ...one,
    run: one.run === null ? null : (byId.get(one.run.id) ?? null),
  }))
}

/** An arm's latest completed measuring run since the last reset; null when there is none. */
export function armRun(lab: Lab, runs: readonly RunState[], arm: string): RunState | null {
  const steps = new Set(
    lab.steps.flatMap(({ id, action }) => (action !== null && 'case' in action && action.arm === arm ? [id] : [])),
  )
  return runsSinceReset(runs).findLast((run) => steps.has(run.stepId) && run.state === 'completed') ?? null
}

/** The measurements of the lab's first arm in the session, to compare `now` with; empty if `now` measures that arm. */
export function measuredBefore(lab: Lab, runs: readonly RunState[], now: RunState): Measurement[] {
  const [first] = lab.arms
  const run = first === undefined || now.repeats[0]?.arm === first.id ? null : armRun(lab, runs, first.id)
  return run === null ? [] : measurementsOf(run)
}

type StepFacts = StepProgress<Pick<RunFacts, 'lastSeq'>>

/** Did a later Restore remove its pods or sizes? A finished lab is still done, but a step back needs them. */
function isTakenBack({ step, run }: StepFacts, progress: readonly StepFacts[]): boolean {
  const restored = progress.findLast(
    (one) => actionProperties(one.step.action).restores && one.status === 'passed',
  )?.run
  if (run === null || restored === null || restored === undefined) return false
  return leavesAnEffect(step) && run.lastSeq < restored.lastSeq
}

/**
 * The steps that Solve runs to have everything up to and including `target` done: the steps
 * with an action that have not passed, and everything after the first stale step. For a target
 * that needs pods, steps that Restore has undone count as stale.
 */
export function stepsToSolve(progress: readonly StepFacts[], target: string): Step[] {
  const last = progress.findIndex(({ step }) => step.id === target)
  const upTo = progress.slice(0, last + 1)
  const needs = upTo.at(-1)?.step
  const goesBack = actionProperties(needs?.action).needsPods
  const gone = (one: StepFacts): boolean => one.status === 'stale' || (goesBack && isTakenBack(one, progress))
  const stale = upTo.findIndex(gone)
  return upTo
    .filter(({ status }, index) => status !== 'read' && (status !== 'passed' || (stale >= 0 && index >= stale)))
    .map(({ step }) => step)
}
