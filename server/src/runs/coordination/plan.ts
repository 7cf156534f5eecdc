/** From what a learner asked for to the steps to run. */
import { LabError } from '@expresslane/shared/wire/errors'
import { planIssues } from '@expresslane/shared/features/plan'
import type { ExperimentPlan } from '@expresslane/shared/measure/experiment'
import type { Lab, Step, StepParams, Tunable } from '@expresslane/shared/labs/lab'
import { sessionProgress, stepsToSolve } from '@expresslane/shared/run/progress'
import type { RunState } from '@expresslane/shared/run/run-state'

const LAB_GONE =
  'Its file may have been removed or renamed, or has an error that the start page shows. What was measured is kept in the history.'
const RELOAD = 'Reload the page to have the labs as this server knows them.'

/** @throws LabError `not_found` */
function findStep(lab: Lab, stepId: string): Step {
  const step = lab.steps.find(({ id }) => id === stepId)
  if (step === undefined) throw new LabError('not_found', `The lab “${lab.title}” has no step “${stepId}”.`, RELOAD)
  return step
}

/** @throws LabError `not_found` */
export function requireLab(lab: Lab | undefined, labId: string): Lab {
  if (lab === undefined) throw new LabError('not_found', `There is no lab “${labId}”.`, LAB_GONE)
  return lab
}

/** In place of a lab whose file is gone: enough for a reset, which restores the testbed whatever the lab was. */
export function missingLab(id: string): Lab {
  return {
    id,
    title: id,
    question: '',
    summary: '',
    feature: '',
    families: [],
    arms: [],
    listed: false,
    minutes: 1,
    needs: [],
    steps: [],
  }
}

/** For a testbed that can only run other labs: a recording plays back the one that it was made of. */
export function notOfThisLab({ title }: Lab): LabError {
  return new LabError(
    'step_not_ready',
    `The recording that is chosen now was not made of “${title}”.`,
    'Choose one of this lab under “Where they run” on the start page.',
  )
}

function checkTunable(field: 'repeats' | 'seconds', value: number | undefined, { min, max }: Tunable): void {
  if (value === undefined || (value >= min && value <= max)) return
  throw new LabError(
    'bad_request',
    `${field} must be between ${min} and ${max}.`,
    'Choose a value within the bounds and run the step again.',
    { detail: `params.${field}: ${value}` },
  )
}

/** Of a plan that somebody brings. @throws LabError `bad_request` */
export function requireKnown(plan: ExperimentPlan): void {
  const [first] = planIssues(plan)
  if (first === undefined) return
  throw new LabError(
    'bad_request',
    `This plan can’t be followed: ${first.message}.`,
    'Reload the page, and choose arms and benchmarks again.',
    { detail: first.path.map(String).join('.') },
  )
}

function checkParams(step: Step, params: StepParams): void {
  if (params.plan !== undefined) requireKnown(params.plan)
  if (step.action?.kind !== 'measure' && step.action?.kind !== 'experiment') return
  checkTunable('repeats', params.repeats, step.action.repeats)
  checkTunable('seconds', params.seconds, step.action.seconds)
}

/** The steps that are still to do for a solve, in order. */
export function stepsFrom(lab: Lab, solveTo: string, runs: readonly RunState[], incarnation: string): Step[] {
  return stepsToSolve(sessionProgress(lab, runs, incarnation), solveTo)
}

export interface Wish {
  readonly stepId: string
  readonly params: StepParams
  readonly solve: boolean
}

/**
 * The steps that a request runs, in order: the one step, or with `solve` every step up to it that is
 * not done. The list is made once and then followed: what was behind a stale step runs again
 * although it no longer is behind one.
 *
 * @param runs the session's runs so far
 * @throws LabError `not_found`, `bad_request`
 */
export function planSteps(lab: Lab, wish: Wish, runs: readonly RunState[], incarnation: string): Step[] {
  const target = findStep(lab, wish.stepId)
  const steps = wish.solve ? stepsFrom(lab, target.id, runs, incarnation) : [target]
  if (steps.length === 0) {
    throw new LabError('nothing_to_do', 'Every step up to this one is done already.', 'Go on with the next step.')
  }
  if (!wish.solve && target.action === null) {
    throw new LabError(
      'bad_request',
      `“${target.title}” is a step to read; it runs nothing.`,
      'Go on with the next step.',
    )
  }
  for (const step of steps) checkParams(step, wish.params)
  return steps
}
