/** The state of autopilot: whether it leads, at which pace, and the pause that it is in. */
import { toLabError } from '@expresslane/shared/base/errors'
import { epochMs } from '@expresslane/shared/base/units'
import type { Autopilot as AutopilotView } from '@expresslane/shared/wire/presentation'
import type { Clock } from '../runs/clock.ts'

interface Pause {
  readonly since: number
  readonly seconds: number
  readonly onEnd: () => void
}

const idle: AutopilotView = { state: 'off', pace: 1, until: null, problem: null }

/**
 * Autopilot and the presenter lead in turns: work that was begun in an earlier turn has no effect.
 *
 * @param onChange called with every change of the view
 */
export function createAutopilotState(clock: Clock, onChange: () => void) {
  let view = idle
  let pause: Pause | null = null
  let takeBack = (): void => {}
  let turn = 0

  /** Without being named, the end of a pause and a problem are over. */
  function change(next: Partial<AutopilotView>): void {
    view = { ...view, until: null, problem: null, ...next }
    onChange()
  }

  /** Begins a turn, without the pause of the last turn. */
  function begin(): number {
    turn += 1
    pause = null
    takeBack()
    return turn
  }

  /** Ends the turn with a reason. */
  function stop(problem: string): void {
    begin()
    change({ state: 'stopped', problem })
  }

  /** Works in a turn. Errors stop autopilot. */
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
    if (pause === null) onChange()
    else waitPause()
  }

  /** Waits, as long as the pace says, and goes on in this turn. */
  function pauseThen(seconds: number, mine: number, next: () => void | Promise<void>): void {
    pause = { since: clock.now(), seconds, onEnd: () => guarded(mine, next) }
    waitPause()
  }

  return { view: () => view, change, setPace, begin, isNow: (mine: number) => mine === turn, stop, guarded, pauseThen }
}
