/** A session's walk as the server sees it: by its rows, and by the states of only those runs that show it. */
import type { RunState } from '@expresslane/shared/run/run-state'
import { shownRuns, walkedRun, type WalkedRun } from '@expresslane/shared/run/walked-run'
import type { Store } from '../../store/open.ts'
import type { RunLog } from './run-log.ts'

export interface WalkParts {
  readonly store: Pick<Store, 'walks'>
  readonly log: Pick<RunLog, 'state'>
}

/** A session's runs, oldest first, those that go on as they are now. Reads no events of runs that have ended. */
export function walkedRuns({ store, log }: WalkParts, sessionId: string): WalkedRun[] {
  return store.walks.of(sessionId).map((run) => {
    if (run.state !== 'queued' && run.state !== 'running') return run
    const state = log.state(run.id)
    return state === null ? run : walkedRun(state)
  })
}

/** The states of the runs that show a session's walk, oldest first. A session of many runs has few of them. */
export function walkStates(parts: WalkParts, sessionId: string): RunState[] {
  return shownRuns(walkedRuns(parts, sessionId)).flatMap(({ id }) => parts.log.state(id) ?? [])
}
