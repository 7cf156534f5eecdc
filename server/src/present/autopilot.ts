/** Plays a lab by itself: shows a step, runs its action, waits for it, pauses, and goes on. */
import { LabError, toLabError } from '@expresslane/shared/base/errors'
import type { Lab, Step } from '@expresslane/shared/labs/lab'
import { nextMove } from '@expresslane/shared/present/next-move'
import { pauseOf } from '@expresslane/shared/present/pause'
import { RESET_STEP, type RunId } from '@expresslane/shared/run/events'
import { hasPassed, isOpen, type RunState } from '@expresslane/shared/run/run-state'
import { currentWalk } from '@expresslane/shared/run/progress'
import { epochMs } from '@expresslane/shared/base/units'
import type { Autopilot as AutopilotView } from '@expresslane/shared/wire/presentation'
import type { Session } from '@expresslane/shared/wire/protocol'
import type { Driving, Person } from '../classroom/driving.ts'
import type { Clock } from '../runs/clock.ts'
import type { Coordinator } from '../runs/coordination/coordinator.ts'
import type { TestbedStatus } from '../runs/live/status.ts'

/** What is on the screen. */
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
  readonly coordinator: Pick<Coordinator, 'start' | 'settled'>
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

interface Pause {
  readonly since: number
  readonly seconds: number
  readonly onEnd: () => void
}

const idle: AutopilotView = { state: 'off', pace: 1, until: null, problem: null }

/** Why a run that ended is no success, for the presenter. */
function failureOf(run: RunState, lab: Lab): string {
  const title =
    lab.steps.find(({ id }) => id === run.stepId)?.title ?? (run.stepId === RESET_STEP ? 'Reset' : run.stepId)
  if (run.problem !== null) return `“${title}” failed: ${run.problem.message}`
  if (run.outcome?.passed === false) return `The check of “${title}” did not pass: ${run.outcome.sentence}`
  return `“${title}” was ${run.state}.`
}

export function createAutopilot({ coordinator, status, driving, clock }: AutopilotParts, stage: Stage): Autopilot {
  let view = idle
  let pause: Pause | null = null
  let takeBack = (): void => {}
  /** Grows at each change of hands, which ends everything that an earlier turn still waits for. */
  let turn = 0

  function change(next: Partial<AutopilotView>): void {
    view = { ...view, until: null, problem: null, ...next }
    stage.changed()
  }

  function hold(): void {
    turn += 1
    pause = null
    takeBack()
  }

  function stop(problem: string): void {
    hold()
    change({ state: 'stopped', problem })
  }

  /** For what happens later: errors stop the autopilot, and nothing happens after a change of hands. */
  function guarded(mine: number, work: () => void | Promise<void>): void {
    async function attempt(): Promise<void> {
      try {
        if (mine === turn) await work()
      } catch (error) {
        const { message, remedy } = toLabError(error)
        if (mine === turn) stop(`${message} ${remedy}`)
      }
    }
    void attempt()
  }

  function waitPause(): void {
    if (pause === null) return
    const { since, seconds, onEnd } = pause
    takeBack()
    const until = epochMs.parse(Math.round(since + seconds * 1000 * view.pace))
    takeBack = clock.after(Math.max(0, until - clock.now()), () => {
      pause = null
      view = { ...view, state: 'running', until: null }
      onEnd()
    })
    change({ state: 'pausing', until })
  }

  function setPace(pace: number): void {
    view = { ...view, pace }
    if (pause === null) stage.changed()
    else waitPause()
  }

  function pauseThen(seconds: number, mine: number, next: () => void | Promise<void>): void {
    pause = { since: clock.now(), seconds, onEnd: () => guarded(mine, next) }
    waitPause()
  }

  async function wait(runId: RunId, mine: number, by: Person): Promise<void> {
    change({ state: 'running' })
    await coordinator.settled(runId)
    if (mine !== turn) return
    const { lab, runs } = stage.shown()
    if (runs.some((run) => run.id === runId && isOpen(run))) {
      throw new LabError(
        'run_not_running',
        'Another Expresslane process runs this step.',
        'Wait until it ends, then continue.',
      )
    }
    const last = currentWalk(runs).at(-1)
    if (last !== undefined && !hasPassed(last)) stop(failureOf(last, lab))
    else await proceed(mine, by)
  }

  async function proceed(mine: number, by: Person): Promise<void> {
    const { session } = stage.shown()
    const incarnation = await status.incarnation(session.testbed)
    if (mine !== turn) return
    const { lab, step, runs } = stage.shown()
    const move = nextMove(lab, step.id, runs, incarnation)
    switch (move.kind) {
      case 'run': {
        driving.require(by, session.testbed)
        change({ state: 'running' })
        const wish = { stepId: move.stepId, params: { switchOff: true }, solve: true }
        const { runId } = await coordinator.start(session, wish)
        if (mine === turn) await wait(runId, mine, by)
        break
      }
      case 'wait':
        await wait(move.runId, mine, by)
        break
      case 'go':
        pauseThen(pauseOf(step), mine, () => {
          stage.go(move.stepId)
          return arrive(mine, by)
        })
        break
      case 'end':
        pauseThen(pauseOf(step), mine, () => change({ state: 'finished' }))
        break
    }
  }

  /** A question needs time before its answer appears. */
  async function arrive(mine: number, by: Person): Promise<void> {
    const { step, asks } = stage.shown()
    if (asks) pauseThen(pauseOf(step), mine, () => proceed(mine, by))
    else await proceed(mine, by)
  }

  return {
    view: () => view,
    engage(pace, by) {
      const leads = view.state === 'pausing' || view.state === 'running'
      if (!leads) driving.require(by, stage.shown().session.testbed)
      setPace(pace)
      if (leads) return
      hold()
      const mine = turn
      change({ state: 'running' })
      guarded(mine, () => arrive(mine, by))
    },
    release() {
      hold()
      change({ state: 'off' })
    },
    setPace,
    stop,
    close: hold,
  }
}
