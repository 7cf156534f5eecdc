/** Gathers what the stream brings, and publishes it as one immutable snapshot for `useSyncExternalStore`. */
import type { LoggedEvent } from '@expresslane/shared/run/events'
import type { SessionView, TestbedView } from '@expresslane/shared/wire/protocol'
import { isOpen, type RunState } from '@expresslane/shared/run/run-state'
import { createFollowedRuns } from './followed-runs.ts'
import { nothingYet, type LiveState } from './live-state.ts'
import { createRedraw, type RedrawDeps } from './redraw.ts'
import type { NewsFrame, StreamSink } from './stream.ts'
import { withIncarnation, withoutPath, withReading } from './testbed-states.ts'

export interface StoreDeps extends RedrawDeps {
  /** The wall clock, which runs on while a phone sleeps. */
  date(): number
  /** Requests the events after `seq` again. */
  rewind(seq: number): void
}

export interface Store extends StreamSink {
  subscribe(listener: () => void): () => void
  snapshot(): LiveState
  /** Adds a fetched session; from then on the store follows its runs. */
  openSession(view: SessionView): void
  /** Adds a fetched run. */
  openRun(run: RunState): void
  /** Replaces the runs of a session, such as when somebody moves in the time of a recording. */
  replaceRuns(session: string, runs: readonly RunState[]): void
  /** Adds a fetched testbed whose path the stream has not sent. */
  openTestbed(view: TestbedView): void
  /** Replaces a testbed that has moved to another context, or to another time, and drops its earlier state. */
  moveTestbed(view: Pick<TestbedView, 'id' | 'facts' | 'datapath' | 'problem'>): void
}

/** The parts of the state that a frame replaces. */
function partOf(frame: Exclude<NewsFrame, { type: 'live' }>): Partial<LiveState> {
  switch (frame.type) {
    case 'labs':
      return { labsRevision: frame.revision }
    case 'presentation':
      return { presentation: frame.presentation }
    case 'room':
      return { roomRevision: frame.revision }
    case 'message':
      return { message: frame }
    case 'drivers':
      return { drivers: new Map(frame.drivers.map(({ testbed, driver }) => [testbed, driver])) }
    case 'holders':
      return { holders: new Map(frame.holders.map(({ testbed, holder }) => [testbed, holder])) }
    case 'hands':
      return { hands: frame.hands }
    case 'store':
      return { storeProblem: frame.problem }
  }
}

/** Returns whether an event queues, starts or ends a run. */
function createTurns(): (logged: LoggedEvent) => boolean {
  const queued = new Set<string>()
  return ({ runId, event }) => {
    if (event.type === 'run.queued') {
      // Its place can change often; the history only shows that it waits.
      const isNew = !queued.has(runId)
      queued.add(runId)
      return isNew
    }
    if (event.type !== 'run.started' && event.type !== 'run.ended') return false
    queued.delete(runId)
    return true
  }
}

export function createStore({ now, date, schedule, rewind }: StoreDeps): Store {
  let published = nothingYet
  let current = nothingYet
  let heardAt = 0
  const listeners = new Set<() => void>()
  const runs = createFollowedRuns()
  const isTurn = createTurns()
  const redraw = createRedraw({ now, schedule }, () => {
    current = { ...current, ...runs.state() }
    published = current
    for (const listener of listeners) listener()
  })

  function publish(part: Partial<LiveState>): void {
    current = { ...current, ...part }
    redraw.now()
  }

  return {
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    snapshot: () => published,
    connection(connection) {
      if (connection !== current.connection) publish({ connection, heardAt })
    },
    heard() {
      heardAt = date()
    },
    events(events) {
      for (const logged of events) {
        const { event } = logged
        if (event.type === 'run.started') current = withIncarnation(current, event.testbed, event.incarnation)
        if (isTurn(logged)) current = { ...current, turns: current.turns + 1 }
        runs.add(logged)
      }
      redraw.after(events)
    },
    news(frame) {
      if (frame.type !== 'live') return publish(partOf(frame))
      current = withReading(current, frame.testbed, frame)
      redraw.soon('line')
    },
    rebooted(logLost) {
      if (logLost) runs.clear()
      const [turns, boots] = [current.turns + 1, current.boots + 1]
      publish({ turns, boots, labsRevision: 0, roomRevision: 0 })
    },
    openSession({ session, runs: fetched, incarnation, seq }) {
      for (const run of fetched) runs.addRun(run)
      // The store has ignored the events of this session so far: request them again.
      if (runs.addSession(session.id)) rewind(seq)
      const isNews = incarnation !== null && !current.incarnations.has(session.testbed)
      publish(isNews ? withIncarnation(current, session.testbed, incarnation) : {})
    },
    openRun(run) {
      runs.addRun(run)
      if (isOpen(run)) rewind(run.lastSeq)
      redraw.now()
    },
    replaceRuns(session, states) {
      runs.replaceRuns(session, states)
      redraw.now()
    },
    openTestbed({ id, facts, datapath, problem }) {
      if (facts === null || current.paths.has(id)) return
      publish(withReading(current, id, { incarnation: facts.incarnation, datapath, problem }))
    },
    moveTestbed({ id, facts, datapath, problem }) {
      const reading = { incarnation: facts?.incarnation ?? null, datapath, problem }
      publish(withReading(withoutPath(current, id), id, reading))
    },
  }
}
