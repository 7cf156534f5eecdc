/** Plays a lab by itself: shows a step, runs its action, waits for it, pauses, and goes on. */
import { LabError } from '@expresslane/shared/base/errors'
import type { Lab, Step } from '@expresslane/shared/labs/lab'
import { nextMove } from '@expresslane/shared/present/next-move'
import { pauseOf } from '@expresslane/shared/present/durations'
import { RESET_STEP, type RunId } from '@expresslane/shared/run/events'
import { hasPassed, isOpen, type RunState } from '@expresslane/shared/run/run-state'
import { runsSinceReset } from '@expresslane/shared/run/progress'
import type { Autopilot as AutopilotView } from '@expresslane/shared/wire/presentation'
import type { Session } from '@expresslane/shared/wire/protocol'
import type { Driving, Person } from '../classroom/driving.ts'
import type { Clock } from '../runs/clock.ts'
import type { Scheduler } from '../runs/coordination/scheduler.ts'
import type { TestbedStatus } from '../runs/live/status.ts'
import { createAutopilotState } from './autopilot-state.ts'

/** The session and the step on the screen. */
export interface Shown {
  readonly session: Session
  readonly lab: Lab
  readonly step: Step
  /** Whether followers can answer this step's question now. */
  readonly asks: boolean
  /** The session's runs, oldest first. */
  readonly runs: readonly RunState[]
}

export interface Stage {
  /** @throws LabError when the session or its lab no longer exists */
  shown(): Shown
  /** Shows another step. */
  go(stepId: string): void
  /** The autopilot's view changed. */
  changed(): void
}

export interface AutopilotParts {
  readonly scheduler: Pick<Scheduler, 'start' | 'settled'>
  readonly status: Pick<TestbedStatus, 'incarnation'>
  readonly driving: Pick<Driving, 'require'>
  readonly clock: Clock
}

export interface Autopilot {
  view(): AutopilotView
  /**
   * Leads from the shown step on. While it leads already, only the pace changes.
   *
   * @param by who switches it on: they drive the cluster that it runs steps on. @throws LabError `not_driving`
   */
  engage(pace: number, by: Person): void
  /** The presenter leads. A run that has started goes on. */
  release(): void
  setPace(pace: number): void
  /** Stops with a reason. */
  stop(problem: string): void
  /** Does nothing more. */
  close(): void
}

/** The reason why a run that ended is no success, for the presenter. */
function failureOf(run: RunState, lab: Lab): string {
  const title =
    lab.steps.find(({ id }) => id === run.stepId)?.title ?? (run.stepId === RESET_STEP ? 'Reset' : run.stepId)
  if (run.problem !== null) return `“${title}” failed: ${run.problem.message}`
  if (run.outcome?.passed === false) return `The check of “${title}” did not pass: ${run.outcome.sentence}`
  return `“${title}” was ${run.state}.`
}

export function createAutopilot({ scheduler, status, driving, clock }: AutopilotParts, stage: Stage): Autopilot {
  const state = createAutopilotState(clock, () => stage.changed())

  async function wait(runId: RunId, mine: number, by: Person): Promise<void> {
    state.change({ state: 'running' })
    await scheduler.settled(runId)
    if (!state.isNow(mine)) return
    const { lab, runs } = stage.shown()
    if (runs.some((run) => run.id === runId && isOpen(run))) {
      throw new LabError(
        'run_not_running',
        'Another Expresslane process runs this step.',
        'Wait until it ends, then continue.',
      )
    }
    const last = runsSinceReset(runs).at(-1)
    if (last !== undefined && !hasPassed(last)) state.stop(failureOf(last, lab))
    else await proceed(mine, by)
  }

  async function proceed(mine: number, by: Person): Promise<void> {
    const { session } = stage.shown()
    const incarnation = await status.incarnation(session.testbed)
    if (!state.isNow(mine)) return
    const { lab, step, runs } = stage.shown()
    const move = nextMove(lab, step.id, runs, incarnation)
    switch (move.kind) {
      case 'run': {
        driving.require(by, session.testbed)
        state.change({ state: 'running' })
        const request = { stepId: move.stepId, params: { switchOff: true }, solve: true }
        const { runId } = await scheduler.start(session, request)
        if (state.isNow(mine)) await wait(runId, mine, by)
        break
      }
      case 'wait':
        await wait(move.runId, mine, by)
        break
      case 'go':
        state.pauseThen(pauseOf(step), mine, () => {
          stage.go(move.stepId)
          return arrive(mine, by)
        })
        break
      case 'end':
        state.pauseThen(pauseOf(step), mine, () => state.change({ state: 'finished' }))
        break
    }
  }

  /** A question needs time before its answer appears. */
  async function arrive(mine: number, by: Person): Promise<void> {
    const { step, asks } = stage.shown()
    if (asks) state.pauseThen(pauseOf(step), mine, () => proceed(mine, by))
    else await proceed(mine, by)
  }

  return {
    view: state.view,
    engage(pace, by) {
      const { state: now } = state.view()
      const leads = now === 'pausing' || now === 'running'
      if (!leads) driving.require(by, stage.shown().session.testbed)
      state.setPace(pace)
      if (leads) return
      const mine = state.begin()
      state.change({ state: 'running' })
      state.guarded(mine, () => arrive(mine, by))
    },
    release() {
      state.begin()
      state.change({ state: 'off' })
    },
    setPace: state.setPace,
    stop: state.stop,
    close: () => void state.begin(),
  }
}
