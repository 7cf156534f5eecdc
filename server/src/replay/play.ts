import { LabError } from '@expresslane/shared/base/errors'
import type { RunEvent } from '@expresslane/shared/run/events'
import type { StepTask } from '../runs/perform/perform.ts'
import { eventsIn, type RecordedFile } from '@expresslane/shared/recordings/file/events'
import type { OutlinedRun } from '@expresslane/shared/recordings/file/outline'
import { letOthers } from '../workers/turns.ts'

/** The server's timer; tests have their own. */
export interface Timer {
  /** Calls back once after `ms`. @returns cancels the call */
  after(ms: number, callback: () => void): () => void
}

/** After this many events, and after each piece of the file, the event loop gets a turn, for example to handle a cancel. */
const AT_ONCE = 25

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

/** How the run ended, as its recording says. @throws LabError the recorded problem */
function endAs({ state, problem }: Extract<RunEvent, { type: 'run.ended' }>): 'completed' | 'cancelled' {
  if (problem === null) return state === 'cancelled' ? 'cancelled' : 'completed'
  const { code, message, remedy, remedyCommand, detail } = problem
  throw new LabError(code, message, remedy, {
    ...(remedyCommand === null ? {} : { remedyCommand }),
    ...(detail === null ? {} : { detail }),
  })
}

/**
 * Emits a recorded run's events at `speed` times their pace, except for its start and end, which the current run has
 * itself. Then it ends as the recorded run did. The file is read piece by piece, as it plays.
 *
 * @returns how it ended, if it ended without a problem
 * @throws LabError the recorded run's problem; `not_found` if the recording was removed; `signal.reason` when aborted
 */
export async function playRun(
  file: RecordedFile,
  { pieces }: OutlinedRun,
  speed: number,
  timer: Timer,
  { signal, emitAll }: Pick<StepTask, 'signal' | 'emitAll'>,
): Promise<'completed' | 'cancelled'> {
  let now = 0
  // Events that were recorded together are emitted together.
  let due: RunEvent[] = []
  const emitDue = (): void => {
    signal.throwIfAborted()
    if (due.length > 0) emitAll(due)
    due = []
  }
  for (const piece of pieces) {
    for (const { at, event } of eventsIn(file, piece)) {
      if (at > now) {
        emitDue()
        await wait(timer, (at - now) / speed, signal)
        now = at
      }
      if (event.type === 'run.ended') {
        emitDue()
        return endAs(event)
      }
      if (event.type !== 'run.started') due.push(event)
      if (due.length === AT_ONCE) {
        emitDue()
        await letOthers()
      }
    }
    emitDue()
    await letOthers()
  }
  throw new Error('a recorded run without its end')
}
