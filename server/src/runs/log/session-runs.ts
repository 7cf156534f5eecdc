/** A session's runs as the server sees them: the rows of all, and the states of the runs that still count. */
import type { RunState } from '@expresslane/shared/run/run-state'
import { shownRuns, factsOfRun, type RunFacts } from '@expresslane/shared/run/run-facts'
import type { Store } from '../../store/open.ts'
import type { RunLog } from './run-log.ts'

export interface SessionRunsParts {
  readonly store: Pick<Store, 'sessions'>
  readonly log: Pick<RunLog, 'state'>
}

/** A session's runs, oldest first. A run that goes on is as it is now. Reads no events of runs that have ended. */
export function sessionRuns({ store, log }: SessionRunsParts, sessionId: string): RunFacts[] {
  return store.sessions.runs(sessionId).map((run) => {
    if (run.state !== 'queued' && run.state !== 'running') return run
    const state = log.state(run.id)
    return state === null ? run : factsOfRun(state)
  })
}

/** The states of a session's runs that still count, oldest first. Even a session of many runs has few. */
export function sessionStates(parts: SessionRunsParts, sessionId: string): RunState[] {
  return shownRuns(sessionRuns(parts, sessionId)).flatMap(({ id }) => parts.log.state(id) ?? [])
}
