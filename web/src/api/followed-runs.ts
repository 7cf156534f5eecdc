/** The runs that the page follows: of its sessions, opened by themselves, and second opinions on a followed run. */
import type { LoggedEvent } from '@expresslane/shared/run/events'
import { createFold, type RunFold } from '@expresslane/shared/run/fold'
import type { RunState } from '@expresslane/shared/run/run-state'
import type { LiveState } from './live-state.ts'
import { withProgress, type SubjectLine } from './subjects.ts'

export interface FollowedRuns {
  /** Follows the runs of a session. @returns false if it already does */
  addSession(id: string): boolean
  /** Adds a fetched run, unless the stream is already further. */
  addRun(run: RunState): void
  /** Replaces the runs of a session, in order, and follows it. A state can be earlier than the present state. */
  replaceRuns(session: string, states: readonly RunState[]): void
  /** Adds an event, unless the page does not follow its run or already has the event. */
  add(logged: LoggedEvent): void
  /** The same maps as before, if nothing was added. */
  state(): Pick<LiveState, 'runs' | 'subjects'>
  clear(): void
}

export function createFollowedRuns(): FollowedRuns {
  const sessions = new Set<string>()
  const folds = new Map<string, RunFold>()
  /** Runs with events that `runs` does not have yet. */
  const changed = new Set<string>()
  let runs: ReadonlyMap<string, RunState> = new Map()
  let subjects: ReadonlyMap<string, readonly SubjectLine[]> = new Map()

  function trackSubjects({ runId, event }: LoggedEvent): void {
    if (event.type !== 'progress' && event.type !== 'run.ended') return
    const now = new Map(subjects)
    if (event.type === 'run.ended') now.delete(runId)
    else now.set(runId, withProgress(now.get(runId) ?? [], event))
    subjects = now
  }

  function begins({ event }: LoggedEvent): boolean {
    if (event.type !== 'run.started' && event.type !== 'run.queued') return false
    const { opinionOf } = event.params
    return sessions.has(event.sessionId) || (opinionOf !== undefined && folds.has(opinionOf))
  }

  return {
    addSession(id) {
      const isNew = !sessions.has(id)
      sessions.add(id)
      return isNew
    },
    addRun(run) {
      const known = folds.get(run.id)
      if (known !== undefined && known.lastSeq >= run.lastSeq) return
      folds.set(run.id, createFold(run))
      changed.add(run.id)
    },
    replaceRuns(session, states) {
      sessions.add(session)
      for (const [id, { sessionId }] of runs) if (sessionId === session) folds.delete(id)
      for (const run of states) folds.set(run.id, createFold(run))
      const others = [...runs].filter(([, { sessionId }]) => sessionId !== session)
      runs = new Map([...others, ...states.map((run) => [run.id, run] as const)])
      subjects = new Map()
    },
    add(logged) {
      const known = folds.get(logged.runId)
      if (known === undefined && !begins(logged)) return
      const run = known ?? createFold()
      if (logged.seq <= run.lastSeq) return
      run.add(logged)
      folds.set(logged.runId, run)
      changed.add(logged.runId)
      trackSubjects(logged)
    },
    state() {
      // Each run's state is taken once for all its events since the last time.
      if (changed.size > 0) {
        const states = [...changed].flatMap((id) => folds.get(id)?.state() ?? [])
        runs = new Map([...runs, ...states.map((state) => [state.id, state] as const)])
        changed.clear()
      }
      return { runs, subjects }
    },
    clear() {
      sessions.clear()
      folds.clear()
      changed.clear()
      runs = new Map()
      subjects = new Map()
    },
  }
}
