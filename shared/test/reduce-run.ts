import type { LoggedEvent } from '../src/run/events.ts'
import { createFold } from '../src/run/fold.ts'
import type { RunState } from '../src/run/run-state.ts'

/**
 * Folds one event into a state. For many events, {@link createFold} is faster.
 *
 * @param state null before the run's first event
 */
export function reduceRun(state: RunState | null, logged: LoggedEvent): RunState {
  const fold = createFold(state)
  fold.add(logged)
  const next = fold.state()
  if (next === null) throw new Error('a fold without a state')
  return next
}
