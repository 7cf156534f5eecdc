/** The states of the runs that were used last, without their output and their live samples. */
import type { LoggedEvent, RunId } from '@expresslane/shared/run/events'
import { createFold, type RunFold } from '@expresslane/shared/run/fold'
import type { RunState } from '@expresslane/shared/run/run-state'
import type { Events } from '../../store/events.ts'

const FOLDS_KEPT = 100

export function createFolds(events: Events) {
  /** Least recently used first. */
  const folds = new Map<RunId, RunFold>()

  function keep(id: RunId, fold: RunFold): void {
    folds.delete(id)
    folds.set(id, fold)
    const oldest = folds.keys().next().value
    if (folds.size > FOLDS_KEPT && oldest !== undefined) folds.delete(oldest)
  }

  /** Reads all events at once: without output and samples a run is short. */
  function readFold(id: RunId): RunFold {
    const fold = createFold(null, { details: false })
    const all = { kind: 'state', after: 0, upTo: Number.MAX_SAFE_INTEGER, limit: Number.MAX_SAFE_INTEGER } as const
    for (const logged of events.ofRun(id, all)) fold.add(logged)
    return fold
  }

  return {
    /** Adds an event to its run's state, if that is kept or begins with it. */
    follow(logged: LoggedEvent): void {
      const known = folds.get(logged.runId)
      const begins = logged.event.type === 'run.queued' || logged.event.type === 'run.started'
      if (known === undefined && !begins) return
      const fold = known ?? createFold(null, { details: false })
      fold.add(logged)
      keep(logged.runId, fold)
    },
    /** Null if the run does not exist. */
    state(id: RunId): RunState | null {
      const fold = folds.get(id) ?? readFold(id)
      const state = fold.state()
      if (state !== null) keep(id, fold)
      return state
    },
  }
}
