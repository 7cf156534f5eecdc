import { setImmediate as letOthers } from 'node:timers/promises'
import { LabError } from '@expresslane/shared/wire/errors'
import { endOf, type RecordedRun } from '@expresslane/shared/recordings/recording'
import type { Task } from '../runs/perform/performer.ts'

/** The server's timer; tests have their own. */
export interface Timer {
  /** Calls back once after `ms`. @returns cancels the call */
  after(ms: number, callback: () => void): () => void
}

/** After this many events the event loop gets a turn, for example to handle a cancel. */
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
 * Emits a recorded run's events at `speed` times their pace, except for its start and end, which the current run has
 * itself. Then it ends as the recorded run did.
 *
 * @returns how it ended, if it ended without a problem
 * @throws LabError the recorded run's problem; `signal.reason` when aborted
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
    // Events that were recorded together are emitted together.
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
