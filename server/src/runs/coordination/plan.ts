/** Decides which steps a request runs. */
import { LabError } from '@expresslane/shared/base/errors'
import { planIssues } from '@expresslane/shared/features/plan'
import { settingIssues } from '@expresslane/shared/features/settings'
import type { ExperimentPlan } from '@expresslane/shared/measure/experiment'
import type { Settings } from '@expresslane/shared/base/settings'
import { experimentOf, measuringOf } from '@expresslane/shared/labs/actions'
import type { Lab, Step, StepParams, Tunable } from '@expresslane/shared/labs/lab'
import { planOfStep } from '@expresslane/shared/labs/on-testbed'
import { fitOf, fits, opinionFit, type Fit } from '@expresslane/shared/labs/planned'
import { stepsToSolve, progressOf } from '@expresslane/shared/run/progress'
import type { RunFacts } from '@expresslane/shared/run/run-facts'

const LAB_GONE =
  'Its file was removed or renamed, or has an error, which the start page shows. The history keeps the measurements.'
const RELOAD = 'Reload the page to see the current labs.'

/** @throws LabError `not_found` */
export function requireStep(lab: Lab, stepId: string): Step {
  const step = lab.steps.find(({ id }) => id === stepId)
  if (step === undefined) throw new LabError('not_found', `The lab “${lab.title}” has no step “${stepId}”.`, RELOAD)
  return step
}

/** @throws LabError `not_found` */
export function requireLab(lab: Lab | undefined, labId: string): Lab {
  if (lab === undefined) throw new LabError('not_found', `The lab “${labId}” does not exist.`, LAB_GONE)
  return lab
}

/** A substitute for a lab whose file no longer exists. A reset needs nothing else to restore the testbed. */
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
    track: null,
    needs: [],
    optional: [],
    steps: [],
  }
}

/** The error for a testbed that runs only other labs, such as a recording of another lab. */
export function notOfThisLab({ title }: Lab): LabError {
  return new LabError(
    'step_not_ready',
    `The chosen recording is of another lab, not of “${title}”.`,
    'Choose a recording of this lab under “Where they run” on the start page.',
  )
}

function checkTunable(field: 'repeats' | 'seconds', value: number | undefined, { min, max }: Tunable): void {
  if (value === undefined || (value >= min && value <= max)) return
  throw new LabError(
    'bad_request',
    `${field} must be between ${min} and ${max}.`,
    'Choose a value in this range and run the step again.',
    { detail: `params.${field}: ${value}` },
  )
}

/** Checks a plan from a client. @throws LabError `bad_request` */
export function requireKnown(plan: ExperimentPlan): void {
  const [first] = planIssues(plan)
  if (first === undefined) return
  throw new LabError(
    'bad_request',
    `This plan is not valid: ${first.message}.`,
    'Reload the page, and choose arms and benchmarks again.',
    { detail: first.path.map(String).join('.') },
  )
}

/** @throws LabError `bad_request` */
function requireKnownSettings(settings: Settings): void {
  const [first] = settingIssues(settings)
  if (first === undefined) return
  throw new LabError(
    'bad_request',
    `“${first.id}” can’t be set: ${first.message}.`,
    'Reload the page, and choose again.',
  )
}

/** @throws LabError `bad_request` with the cases of the experiment */
function requireCases(step: Step, params: StepParams): void {
  const experiment = experimentOf(step)
  const known = experiment === null ? [] : (planOfStep(experiment, params)?.cases ?? [])
  const unknown = params.cases?.find((one) => known.every(({ id }) => id !== one))
  if (experiment === null || unknown === undefined) return
  throw new LabError(
    'bad_request',
    `The experiment “${step.title}” has no case “${unknown}”.`,
    `Choose of its cases: ${known.map(({ id }) => id).join(', ')}.`,
  )
}

function checkParams(step: Step, params: StepParams): void {
  if (params.plan !== undefined) requireKnown(params.plan)
  requireKnownSettings(params.settings ?? {})
  requireCases(step, params)
  const measuring = measuringOf(step)
  if (measuring === null) return
  checkTunable('repeats', params.repeats, measuring.repeats)
  checkTunable('seconds', params.seconds, measuring.seconds)
}

function tooLong(what: string, { planned, allowed }: Fit, remedy: string): LabError {
  return new LabError(
    'run_too_long',
    `${what} plans ${planned} s of measuring. A participant’s run can plan ${allowed} s, so that nobody waits long.`,
    `${remedy}, or ask the instructor to run it.`,
  )
}

/**
 * While a run measures, everybody else waits. A solve keeps the machine until its last step, so all its steps count.
 *
 * @param most seconds
 * @throws LabError `run_too_long`
 */
function requireFit(steps: readonly Step[], { params, solve }: RunRequest, most: number): void {
  const fit = fitOf(steps, params, most)
  const fewer = 'Choose fewer repeats, seconds, arms or benchmarks'
  if (!fits(fit)) {
    const [what, remedy] = solve ? ['Solve', 'Run its steps one by one'] : ['This run', fewer]
    throw tooLong(what, fit, remedy)
  }
  if (params.opinion !== true) return
  const opinion = steps.map((step) => opinionFit(step, params, most)).find((one) => !fits(one))
  if (opinion !== undefined) throw tooLong('The second opinion', opinion, 'Run it without a second opinion')
}

/** The steps that a solve still has to run, in order. */
export function stepsFrom(lab: Lab, solveTo: string, runs: readonly RunFacts[], incarnation: string): Step[] {
  return stepsToSolve(progressOf(lab, runs, incarnation), solveTo)
}

export interface RunRequest {
  readonly stepId: string
  readonly params: StepParams
  readonly solve: boolean
  /** The person who starts the run, whose turn and limits count. @defaultValue the session's owner */
  readonly by?: string
  /** The seconds that the run can plan; the lab's own plan is always allowed. @defaultValue any number */
  readonly mostSeconds?: number | null
}

/**
 * The steps that a request runs, in order: the step itself, or with `solve` every step up to it that is not done. The
 * list is fixed at the start, so a step that follows a stale step also runs again.
 *
 * @param runs the session's runs so far
 * @throws LabError `not_found`, `bad_request`, `run_too_long`
 */
export function planSteps(lab: Lab, request: RunRequest, runs: readonly RunFacts[], incarnation: string): Step[] {
  const target = requireStep(lab, request.stepId)
  const steps = request.solve ? stepsFrom(lab, target.id, runs, incarnation) : [target]
  if (steps.length === 0) {
    throw new LabError(
      'nothing_to_do',
      'This step and all steps before it are already done.',
      'Continue with the next step.',
    )
  }
  if (!request.solve && target.action === null) {
    throw new LabError('bad_request', `The step “${target.title}” has no action.`, 'Continue with the next step.')
  }
  for (const step of steps) checkParams(step, request.params)
  if (typeof request.mostSeconds === 'number') requireFit(steps, request, request.mostSeconds)
  return steps
}
