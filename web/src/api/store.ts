/** Gathers what the stream brings, and publishes it as one immutable snapshot for `useSyncExternalStore`. */
import type { LoggedEvent, RunEvent } from '@expresslane/shared/run/events'
import type { SessionView, TestbedView } from '@expresslane/shared/wire/protocol'
import { createFold, type RunFold } from '@expresslane/shared/run/fold'
import { isOpen, type RunState } from '@expresslane/shared/run/run-state'
import type { TestbedId } from '@expresslane/shared/testbed/id'
import { followPath, type PathReading } from './follow.ts'
import { nothingYet, type LiveState, type TestbedHolder } from './live-state.ts'
import { withProgress } from './subjects.ts'
import type { StreamSink } from './stream.ts'

/** Hundreds of samples and lines can arrive per second; the page redraws at most this often. */
export const REDRAW_MS = 200
/** A sample arrives about a millisecond after the output that it was parsed from. */
const GATHER_MS = 16

export interface StoreDeps {
  now(): number
  /** The wall clock, which runs on while a phone sleeps. */
  date(): number
  schedule(callback: () => void, ms: number): () => void
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
  /** Adds a fetched testbed; ignores its holder if runs have started or ended since `turns`. */
  openTestbed(view: TestbedView, turns: number): void
  /** Replaces a testbed that has moved to another context, and drops its earlier state. */
  moveTestbed(view: TestbedView): void
}

/** Events that can arrive often: live samples, and the output that a log shows. */
type Frequent = 'sample' | 'line'

function isFrequent({ type }: RunEvent): boolean {
  return type === 'sample.taken' || type === 'command.output' || type === 'command.started' || type === 'command.ended'
}

export function createStore({ now, date, schedule, rewind }: StoreDeps): Store {
  let published = nothingYet
  let current = nothingYet
  const drawn: Record<Frequent, number> = { sample: Number.NEGATIVE_INFINITY, line: Number.NEGATIVE_INFINITY }
  let heardAt = 0
  let due = Number.POSITIVE_INFINITY
  let unschedule: (() => void) | null = null
  const listeners = new Set<() => void>()
  const sessions = new Set<string>()
  const folds = new Map<string, RunFold>()
  /** Runs with events that `current` does not have yet. */
  const changed = new Set<string>()
  /** Queued runs, of any session. */
  const queued = new Set<string>()

  function publish(): void {
    unschedule?.()
    unschedule = null
    due = Number.POSITIVE_INFINITY
    takeStates()
    published = current
    for (const listener of listeners) listener()
  }

  /**
   * Publishes a change within {@link REDRAW_MS}, together with the changes that arrive at almost the same time.
   * Samples have their own interval: with the interval of the output they would be drawn late.
   */
  function publishSoon(what: Frequent): void {
    const at = Math.max(drawn[what] + REDRAW_MS, now() + GATHER_MS)
    if (at >= due) return
    unschedule?.()
    due = at
    unschedule = schedule(() => {
      drawn[what] = now()
      publish()
    }, at - now())
  }

  function change(part: Partial<LiveState>): void {
    current = { ...current, ...part }
  }

  /** Takes each run's state once for all events since the last time. */
  function takeStates(): void {
    if (changed.size === 0) return
    const runs = new Map(current.runs)
    for (const id of changed) {
      const state = folds.get(id)?.state() ?? null
      if (state !== null) runs.set(id, state)
    }
    changed.clear()
    change({ runs })
  }

  function putRun(run: RunState): void {
    const known = folds.get(run.id)
    if (known !== undefined && known.lastSeq >= run.lastSeq) return
    folds.set(run.id, createFold(run))
    changed.add(run.id)
  }

  function hold(id: TestbedId, holder: TestbedHolder | null): void {
    change({ holders: new Map(current.holders).set(id, holder), turns: current.turns + 1 })
  }

  function trackHolder({ runId, event }: LoggedEvent): void {
    if (event.type === 'run.queued') {
      // Its place can change often; the history only shows that it waits.
      if (!queued.has(runId)) change({ turns: current.turns + 1 })
      queued.add(runId)
    }
    if (event.type === 'run.started' || event.type === 'run.ended') queued.delete(runId)
    if (event.type === 'run.started') {
      const { testbed, sessionId, stepId, incarnation } = event
      hold(testbed, { runId, sessionId, stepId })
      change({ incarnations: new Map(current.incarnations).set(testbed, incarnation) })
    }
    if (event.type === 'run.ended') {
      const held = [...current.holders].find(([, holder]) => holder?.runId === runId)
      // Also without a known holder: a response that is still on its way can name this run.
      if (held === undefined) change({ turns: current.turns + 1 })
      else hold(held[0], null)
    }
  }

  function trackSubjects({ runId, event }: LoggedEvent): void {
    if (event.type !== 'progress' && event.type !== 'run.ended') return
    const subjects = new Map(current.subjects)
    if (event.type === 'run.ended') subjects.delete(runId)
    else subjects.set(runId, withProgress(subjects.get(runId) ?? [], event))
    change({ subjects })
  }

  /** Whether it begins a run that this store follows: one of a session, or the second opinion on a run. */
  function begins({ event }: LoggedEvent): boolean {
    if (event.type !== 'run.started' && event.type !== 'run.queued') return false
    const { opinionOf } = event.params
    return sessions.has(event.sessionId) || (opinionOf !== undefined && folds.has(opinionOf))
  }

  function fold(logged: LoggedEvent): void {
    trackHolder(logged)
    const known = folds.get(logged.runId)
    if (known === undefined && !begins(logged)) return
    const run = known ?? createFold()
    if (logged.seq <= run.lastSeq) return
    run.add(logged)
    folds.set(logged.runId, run)
    changed.add(logged.runId)
    trackSubjects(logged)
  }

  function followed(id: TestbedId, reading: PathReading): void {
    const path = followPath(current.paths.get(id) ?? null, reading)
    change({ paths: new Map(current.paths).set(id, path) })
    if (reading.incarnation === null) return
    change({ incarnations: new Map(current.incarnations).set(id, reading.incarnation) })
  }

  return {
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    snapshot: () => published,
    connection(connection) {
      if (connection === current.connection) return
      change({ connection, heardAt })
      publish()
    },
    heard() {
      heardAt = date()
    },
    events(events) {
      for (const logged of events) fold(logged)
      if (!events.every(({ event }) => isFrequent(event))) publish()
      else publishSoon(events.some(({ event }) => event.type === 'sample.taken') ? 'sample' : 'line')
    },
    live({ testbed, incarnation, datapath, problem }) {
      followed(testbed, { incarnation, datapath, problem })
      publishSoon('line')
    },
    labs(labsRevision) {
      if (labsRevision === current.labsRevision) return
      change({ labsRevision })
      publish()
    },
    presentation(presentation) {
      change({ presentation })
      publish()
    },
    room(roomRevision) {
      change({ roomRevision })
      publish()
    },
    message(message) {
      change({ message })
      publish()
    },
    drivers(drivers) {
      change({ drivers: new Map(drivers.map(({ testbed, driver }) => [testbed, driver])) })
      publish()
    },
    stored(storeProblem) {
      if (storeProblem === null && current.storeProblem === null) return
      change({ storeProblem })
      publish()
    },
    rebooted(logLost) {
      if (logLost) {
        sessions.clear()
        folds.clear()
        changed.clear()
        change({ runs: new Map() })
      }
      change({
        holders: new Map(),
        turns: current.turns + 1,
        boots: current.boots + 1,
        labsRevision: 0,
        roomRevision: 0,
      })
      publish()
    },
    openSession(view) {
      for (const run of view.runs) putRun(run)
      if (view.incarnation !== null && !current.incarnations.has(view.session.testbed)) {
        change({ incarnations: new Map(current.incarnations).set(view.session.testbed, view.incarnation) })
      }
      // The store has ignored the events of this session so far: request them again.
      if (!sessions.has(view.session.id)) {
        sessions.add(view.session.id)
        rewind(view.seq)
      }
      publish()
    },
    openRun(run) {
      putRun(run)
      if (isOpen(run)) rewind(run.lastSeq)
      publish()
    },
    openTestbed({ id, facts, datapath, problem, busy }, turns) {
      if (turns === current.turns) change({ holders: new Map(current.holders).set(id, busy) })
      if (facts !== null && !current.paths.has(id)) {
        followed(id, { incarnation: facts.incarnation, datapath, problem })
      }
      publish()
    },
    moveTestbed({ id, facts, datapath, problem }) {
      const [paths, incarnations] = [new Map(current.paths), new Map(current.incarnations)]
      paths.delete(id)
      incarnations.delete(id)
      change({ paths, incarnations })
      followed(id, { incarnation: facts?.incarnation ?? null, datapath, problem })
      publish()
    },
  }
}
