/** A session's runs as the server sees them: by their rows, and the states of only those that still count. */
import type { RunState } from '@expresslane/shared/run/run-state'
import { shownRuns, walkedRun, type WalkedRun } from '@expresslane/shared/run/walked-run'
import type { Store } from '../../store/open.ts'
import type { RunLog } from './run-log.ts'

export interface SessionRunsParts {
  readonly store: Pick<Store, 'sessions'>
  readonly log: Pick<RunLog, 'state'>
}

/** A session's runs, oldest first, those that go on as they are now. Reads no events of runs that have ended. */
export function sessionRuns({ store, log }: SessionRunsParts, sessionId: string): WalkedRun[] {
  return store.sessions.runs(sessionId).map((run) => {
    if (run.state !== 'queued' && run.state !== 'running') return run
    const state = log.state(run.id)
    return state === null ? run : walkedRun(state)
  })
}

/** The states of a session's runs that still count, oldest first. A session of many runs has few of them. */
export function sessionStates(parts: SessionRunsParts, sessionId: string): RunState[] {
  return shownRuns(sessionRuns(parts, sessionId)).flatMap(({ id }) => parts.log.state(id) ?? [])
}
