import { i18n } from '@expresslane/shared/base/language'
import { actionProperties, measuringOf, type Measuring } from '@expresslane/shared/labs/actions'
import type { Action, Lab, Step, StepParams } from '@expresslane/shared/labs/lab'
import { fitOf, fits, opinionFit, planWith, repeatsThatFit, type Fit } from '@expresslane/shared/labs/planned'
import { clockOf, formatClockTime, type Clock } from '@expresslane/shared/measure/clock'
import { stepsToSolve, usualPlacement, type StepProgress } from '@expresslane/shared/run/progress'
import { type TestbedId, propertiesOf } from '@expresslane/shared/testbed/id'
import type { PlacementVariant } from '@expresslane/shared/testbed/placement'
import { Button } from '../../components/controls.tsx'
import { IconPlayerPlay, IconPlayerTrackNext } from '../../icons.tsx'
import { useState } from 'react'
import { usePath } from '../../api/live.tsx'
import { useMostSeconds, useTestbed } from '../../api/queries.ts'
import { PlanFit } from '../../components/plan-fit.tsx'
import { ActionProgress } from './action-progress.tsx'
import { ActionRefused } from './action-refused.tsx'
import { ExperimentParams } from './experiment-params.tsx'
import { MeasureParams } from './measure-params.tsx'
import { PlacementChoice } from './placement-choice.tsx'
import { latestSpeed } from '../../recordings/index.ts'
import { RecordingSpeed } from './recording-speed.tsx'
import classes from './step-action.module.css'
import { SolveStopped } from './solve-stopped.tsx'
import { measureParams, type Runner, type SessionState } from '../use-session-state.ts'

interface StepActionProps {
  lab: Lab
  testbed: TestbedId
  /** The placements that the testbed supports. */
  placements: readonly PlacementVariant[]
  current: StepProgress
  action: Action
  state: SessionState
  runner: Runner
}

/** The buttons of a step with its parameters, or the progress while something runs. */
export function StepAction({ lab, testbed, placements, current, action, state, runner }: StepActionProps) {
  const { step, run: last } = current
  const replays = propertiesOf(testbed).isRecorded
  const [params, setParams] = useState(() =>
    replays ? { speed: latestSpeed(state.runs) } : measureParams(current, state.runs),
  )
  const { leaves, canSwitchOff } = actionProperties(action)
  const [measuring, deploys] = [measuringOf(step), leaves === 'pods']
  const present = usePath(testbed)?.datapath?.placement?.variant ?? null
  const blocked = state.active !== null
  const most = useMostSeconds()
  const clock = clockOf(useTestbed(testbed).data ?? null)
  // A replay measures nothing, so nobody waits for it.
  const limit = replays ? null : most
  const own = limit === null ? null : fitOf([step], params, limit)
  const opinion = limit === null ? null : opinionFit(step, params, limit)
  const asked = opinion === null || fits(opinion) ? params : { ...params, opinion: false }
  const start = (solve: boolean, switchOff = false): void => {
    const kept = replays || measuring !== null || deploys || solve ? asked : {}
    runner.run.mutate({ stepId: step.id, params: switchOff ? { switchOff } : kept, solve })
  }
  const foundOn = !replays && canSwitchOff && last?.state === 'completed' && last.outcome?.passed === false
  return (
    <div className={`${classes.action} row wide bottom ruled`}>
      {replays && (
        <RecordingSpeed
          speed={params.speed ?? 1}
          onChange={(speed) => setParams({ speed })}
          disabled={blocked || runner.run.isPending}
        />
      )}
      {!replays && measuring !== null && 'plan' in measuring && (
        <ExperimentParams
          action={measuring}
          testbed={testbed}
          feature={lab.feature}
          lab={lab}
          params={params}
          opinion={opinion}
          onChange={setParams}
          disabled={blocked || runner.run.isPending}
          known={last?.leftOut ?? []}
        />
      )}
      {!replays && measuring !== null && !('plan' in measuring) && (
        <MeasureParams
          action={measuring}
          testbed={testbed}
          params={params}
          onChange={setParams}
          disabled={blocked || runner.run.isPending}
        />
      )}
      {!replays && deploys && (
        <PlacementChoice
          placements={placements}
          present={present}
          usual={usualPlacement(state.runs, 'placement' in action ? (action.placement ?? null) : null)}
          chosen={params.placement ?? null}
          onChange={(placement) => setParams({ ...params, placement })}
          disabled={blocked || runner.run.isPending}
        />
      )}
      {own !== null && measuring !== null && (
        <PlanFit fit={own} clock={clock} repeats={mostRepeats(measuring, params, own)} />
      )}
      {state.active === null && (
        <Buttons
          current={current}
          state={state}
          runner={runner}
          blocked={blocked}
          foundOn={foundOn}
          isTooLong={own !== null && !fits(own)}
          solving={(steps) => (limit === null ? null : fitOf(steps, params, limit))}
          clock={clock}
          start={start}
        />
      )}
      <ActionProgress lab={lab} active={state.active} cancel={runner.cancel} stepId={step.id} />
      <SolveStopped lab={lab} runs={state.runs} stepId={step.id} />
      <ActionRefused state={state} error={runner.run.error} retry={() => start(false)} />
    </div>
  )
}

/** The most repeats with which a step fits; null where repeats do not decide. */
function mostRepeats(measuring: Measuring, params: StepParams, { allowed }: Fit): number | null {
  const plan = planWith(measuring, params)
  return plan === null || plan.design.budget !== null ? null : repeatsThatFit(plan, allowed)
}

interface ButtonsProps extends Pick<StepActionProps, 'current' | 'state' | 'runner'> {
  blocked: boolean
  /** The check found the feature on, although it should be off. */
  foundOn: boolean
  /** The step plans more than its run can. */
  isTooLong: boolean
  /** How much these steps measure together, and how much they can; null if nothing limits it. */
  solving: (steps: readonly Step[]) => Fit | null
  clock: Clock
  start: (solve: boolean, switchOff?: boolean) => void
}

/** Says how many steps Solve runs, and the time that it lacks for them. */
function solveWords(steps: number, fit: Fit | null, clock: Clock, isTooLong: boolean): string {
  const runs = i18n.t('{steps, plural, one {runs # step} other {runs the # steps up to here}}', { steps })
  if (fit === null || fits(fit)) return runs
  const [planned, allowed] = [fit.planned, fit.allowed].map((seconds) => formatClockTime(seconds, clock))
  const values = { runs, planned, allowed }
  return isTooLong
    ? i18n.t('{runs}: together they measure {planned}, and a run can measure {allowed}', values)
    : i18n.t('{runs}: together they measure {planned}, and a run can measure {allowed}. Run them one by one', values)
}

function Buttons({ current, state, runner, blocked, foundOn, isTooLong, solving, clock, start }: ButtonsProps) {
  const { step, status } = current
  const toSolve = stepsToSolve(state.progress, step.id)
  const solves = toSolve.some(({ id }) => id !== step.id)
  const solveFit = solving(toSolve)
  const isSolveTooLong = solveFit !== null && !fits(solveFit)
  const asked = runner.run.isPending ? runner.run.variables : null
  return (
    <div className={`${classes.inline} row`}>
      <Button
        leftSection={<IconPlayerPlay size={18} aria-hidden />}
        disabled={blocked || isTooLong}
        loading={asked !== null && !asked.solve}
        variant={status === 'passed' ? 'default' : 'filled'}
        onClick={() => start(false)}
      >
        {step.actionLabel ?? i18n.t('Run')}
      </Button>
      {foundOn && (
        <Button variant="default" disabled={blocked} onClick={() => start(false, true)}>
          {i18n.t('Switch it off first')}
        </Button>
      )}
      {solves && (
        <>
          <Button
            variant="default"
            leftSection={<IconPlayerTrackNext size={18} aria-hidden />}
            disabled={blocked || isSolveTooLong}
            loading={asked?.solve ?? false}
            aria-describedby="solve-says"
            onClick={() => start(true)}
          >
            {i18n.t('Solve')}
          </Button>
          <span id="solve-says" className="muted">
            {solveWords(toSolve.length, solveFit, clock, isTooLong)}
          </span>
        </>
      )}
    </div>
  )
}
