import { setImmediate as letOthers } from 'node:timers/promises'
import { LabError } from '@expresslane/shared/wire/errors'
import { endOf, type RecordedRun } from '@expresslane/shared/recordings/recording'
import type { Task } from '../runs/perform/performer.ts'

/** Time, as the server hands it in. */
export interface Timer {
  /** Calls back once after `ms`. @returns takes the call back */
  after(ms: number, callback: () => void): () => void
}

/** So many events may come together before the server hears of others again: of a cancel, say. */
const AT_ONCE = 200

/** Resolves after `ms`; rejects with `signal.reason` once aborted. */
function wait(timer: Timer, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      takeBack()
      reject(signal.reason as Error)
    }
    const takeBack = timer.after(ms, () => {
      signal.removeEventListener('abort', onAbort)
      resolve()
    })
    signal.addEventListener('abort', onAbort, { once: true })
  })
}

/**
 * Emits a recorded run's events, but for its start and its end, which the present run has of its own, at `speed` times
 * their pace; then ends as it ended.
 *
 * @returns how it ended, where it ended without a problem
 * @throws LabError the run's own problem; `signal.reason` when aborted
 */
export async function playRun(
  run: RecordedRun,
  speed: number,
  timer: Timer,
  { signal, emit }: Pick<Task, 'signal' | 'emit'>,
): Promise<'completed' | 'cancelled'> {
  let now = 0
  for (const [index, { at, event }] of run.events.entries()) {
    if (index % AT_ONCE === AT_ONCE - 1) await letOthers()
    signal.throwIfAborted()
    // What came together comes together.
    if (at > now) await wait(timer, (at - now) / speed, signal)
    now = at
    if (event.type !== 'run.started' && event.type !== 'run.ended') emit(event)
  }
  const { state, problem } = endOf(run)
  if (problem !== null) {
    const { code, message, remedy, remedyCommand, detail } = problem
    throw new LabError(code, message, remedy, {
      ...(remedyCommand === null ? {} : { remedyCommand }),
      ...(detail === null ? {} : { detail }),
    })
  }
  return state === 'cancelled' ? 'cancelled' : 'completed'
}
