/** What the stream has told so far, folded, as one immutable snapshot for `useSyncExternalStore`. */
import type { LoggedEvent, RunEvent } from '@expresslane/shared/run/events'
import type { SessionView, TestbedView } from '@expresslane/shared/wire/protocol'
import { isOpen, reduceRun, type RunState } from '@expresslane/shared/run/run-state'
import type { TestbedId } from '@expresslane/shared/testbed/id'
import { followPath, type FollowedPath, type PathReading } from './follow.ts'
import { withProgress, type SubjectLine } from './subjects.ts'
import type { Connection, StreamSink } from './stream.ts'

/** The run that holds a testbed. */
export interface Holder {
  readonly runId: string
  readonly sessionId: string
  readonly stepId: string
}

export interface LiveState {
  readonly connection: Connection
  /** Runs of the sessions and runs that a page has opened. */
  readonly runs: ReadonlyMap<string, RunState>
  readonly paths: ReadonlyMap<TestbedId, FollowedPath>
  /** Null where the testbed is known to be free. */
  readonly holders: ReadonlyMap<TestbedId, Holder | null>
  readonly incarnations: ReadonlyMap<TestbedId, string>
  /** By run, while it goes on: the latest message about each node and pod. */
  readonly subjects: ReadonlyMap<string, readonly SubjectLine[]>
  /** Grows with each run that was queued, started or ended, of any session. */
  readonly turns: number
  /** Grows when another server process answers. */
  readonly boots: number
  /** Of the labs: changes when one of their files was edited. */
  readonly labsRevision: number
}

/** Samples and output may come hundreds a second; the page redraws this often at the most. */
export const REDRAW_MS = 200
/** A sample follows the lines of output that it was read from by about a millisecond. */
const GATHER_MS = 16

export interface StoreDeps {
  now(): number
  schedule(callback: () => void, ms: number): () => void
  /** Asks the stream for what came after `seq` once more. */
  rewind(seq: number): void
}

export interface Store extends StreamSink {
  subscribe(listener: () => void): () => void
  snapshot(): LiveState
  /** Takes in a session as fetched; from now on its runs are folded. */
  openSession(view: SessionView): void
  /** Takes in one run as fetched. */
  openRun(run: RunState): void
  /** Takes in a testbed as fetched; not who holds it, where runs came or went since `turns`. */
  openTestbed(view: TestbedView, turns: number): void
  /** Takes in a testbed that is another one from now on: what was known of it is forgotten. */
  moveTestbed(view: TestbedView): void
}

/** What may come often: live samples, and everything that a log shows. */
type Frequent = 'sample' | 'line'

function isFrequent({ type }: RunEvent): boolean {
  return type === 'sample.taken' || type === 'command.output' || type === 'command.started' || type === 'command.ended'
}

const empty: LiveState = {
  connection: 'connecting',
  runs: new Map(),
  paths: new Map(),
  holders: new Map(),
  incarnations: new Map(),
  subjects: new Map(),
  turns: 0,
  boots: 0,
  labsRevision: 0,
}

export function createStore({ now, schedule, rewind }: StoreDeps): Store {
  let published = empty
  let current = empty
  const drawn: Record<Frequent, number> = { sample: Number.NEGATIVE_INFINITY, line: Number.NEGATIVE_INFINITY }
  let due = Number.POSITIVE_INFINITY
  let unschedule: (() => void) | null = null
  const listeners = new Set<() => void>()
  const sessions = new Set<string>()
  /** Queued runs, of any session. */
  const inLine = new Set<string>()

  function publish(): void {
    unschedule?.()
    unschedule = null
    due = Number.POSITIVE_INFINITY
    published = current
    for (const listener of listeners) listener()
  }

  /**
   * No change waits longer than {@link REDRAW_MS}, and none is drawn without those that come along with it.
   * Samples keep a beat of their own: behind the output's they would come up to a beat late.
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

  function putRun(run: RunState): void {
    const known = current.runs.get(run.id)
    if (known !== undefined && known.lastSeq >= run.lastSeq) return
    change({ runs: new Map(current.runs).set(run.id, run) })
  }

  function hold(id: TestbedId, holder: Holder | null): void {
    change({ holders: new Map(current.holders).set(id, holder), turns: current.turns + 1 })
  }

  function turn({ runId, event }: LoggedEvent): void {
    if (event.type === 'run.queued') {
      // Its place may change often; the history shows that it waits.
      if (!inLine.has(runId)) change({ turns: current.turns + 1 })
      inLine.add(runId)
    }
    if (event.type === 'run.started' || event.type === 'run.ended') inLine.delete(runId)
    if (event.type === 'run.started') {
      const { testbed, sessionId, stepId, incarnation } = event
      hold(testbed, { runId, sessionId, stepId })
      change({ incarnations: new Map(current.incarnations).set(testbed, incarnation) })
    }
    if (event.type === 'run.ended') {
      const held = [...current.holders].find(([, holder]) => holder?.runId === runId)
      // Also where nobody was known to hold it: an answer that is still on its way may name this run.
      if (held === undefined) change({ turns: current.turns + 1 })
      else hold(held[0], null)
    }
  }

  function listen({ runId, event }: LoggedEvent): void {
    if (event.type !== 'progress' && event.type !== 'run.ended') return
    const subjects = new Map(current.subjects)
    if (event.type === 'run.ended') subjects.delete(runId)
    else subjects.set(runId, withProgress(subjects.get(runId) ?? [], event))
    change({ subjects })
  }

  function fold(logged: LoggedEvent): void {
    turn(logged)
    const known = current.runs.get(logged.runId) ?? null
    const begins =
      (logged.event.type === 'run.started' || logged.event.type === 'run.queued') &&
      sessions.has(logged.event.sessionId)
    if (known === null && !begins) return
    putRun(reduceRun(known, logged))
    listen(logged)
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
      change({ connection })
      publish()
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
    rebooted(logLost) {
      if (logLost) {
        sessions.clear()
        change({ runs: new Map() })
      }
      change({ holders: new Map(), turns: current.turns + 1, boots: current.boots + 1, labsRevision: 0 })
      publish()
    },
    openSession(view) {
      for (const run of view.runs) putRun(run)
      if (view.incarnation !== null && !current.incarnations.has(view.session.testbed)) {
        change({ incarnations: new Map(current.incarnations).set(view.session.testbed, view.incarnation) })
      }
      // Events of a session that was not open yet have passed unfolded: have them again.
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
