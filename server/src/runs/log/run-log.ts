/** The event log: each event is stored first, then reported to the listeners, and never changed. */
import type { LoggedEvent, RunEvent, RunId } from '@expresslane/shared/run/events'
import { reduceRun, type RunState } from '@expresslane/shared/run/run-state'
import type { Store } from '../../store/open.ts'
import type { Clock } from '../clock.ts'

export type Listener = (logged: LoggedEvent) => void
export type Append = (runId: RunId, event: RunEvent) => void

export interface RunLog {
  /** Stores the event. After the commit, and before this returns, reports it to every listener. */
  append: Append
  /** Appends events and runs the other writes of `work` in one transaction. Reports the events after the commit. */
  together<T>(work: (append: Append) => T): T
  /** Events after `seq` as the store has them, in order, at most `limit`. */
  since(seq: number, limit: number): LoggedEvent[]
  /** The last reported `seq`. The result of {@link state} includes all events up to it. */
  seq(): number
  /** Every event from now on, in `seq` order, each once. @returns unsubscribes */
  subscribe(listener: Listener): () => void
  /** Reports events that other processes on the same data directory have appended. */
  catchUp(): void
  /** The current state of a run; null if it does not exist. */
  state(runId: RunId): RunState | null
}

const STATES_KEPT = 100
const CHUNK = 500

/** @param onListenerError called when a listener throws; the other listeners still get the event */
export function createRunLog(store: Store, clock: Clock, onListenerError: (error: unknown) => void): RunLog {
  const listeners = new Set<Listener>()
  /** Least recently used first. */
  const states = new Map<RunId, RunState>()
  const untold: LoggedEvent[] = []
  let reporting = false
  let reported = store.events.lastSeq()

  function keep(id: RunId, state: RunState): void {
    states.delete(id)
    states.set(id, state)
    const oldest = states.keys().next().value
    if (states.size > STATES_KEPT && oldest !== undefined) states.delete(oldest)
  }

  function fold(logged: LoggedEvent): void {
    const before = states.get(logged.runId) ?? null
    const begins = logged.event.type === 'run.queued' || logged.event.type === 'run.started'
    if (before !== null || begins) keep(logged.runId, reduceRun(before, logged))
  }

  /** If a listener appends an event, it is reported after all listeners have received the current one. */
  function report(events: readonly LoggedEvent[]): void {
    for (const logged of events) {
      reported = logged.seq
      fold(logged)
      untold.push(logged)
    }
    if (reporting) return
    reporting = true
    try {
      for (let logged = untold.shift(); logged !== undefined; logged = untold.shift()) {
        for (const listener of listeners) {
          try {
            listener(logged)
          } catch (error) {
            onListenerError(error)
          }
        }
      }
    } finally {
      reporting = false
    }
  }

  function catchUp(): void {
    for (
      let chunk = store.events.since(reported, CHUNK);
      chunk.length > 0;
      chunk = store.events.since(reported, CHUNK)
    ) {
      report(chunk)
    }
  }

  /** `seq` has no gaps: if this is not the next one, another process appended in between. */
  function reportCommitted(events: readonly LoggedEvent[]): void {
    if (events[0] === undefined) return
    if (events[0].seq === reported + 1) report(events)
    else catchUp()
  }

  function insert(runId: RunId, event: RunEvent): LoggedEvent {
    const at = clock.now()
    return { seq: store.events.append(runId, at, event), runId, at, event }
  }

  return {
    append(runId, event) {
      reportCommitted([insert(runId, event)])
    },
    together(work) {
      const appended: LoggedEvent[] = []
      const result = store.transaction(() => work((runId, event) => appended.push(insert(runId, event))))
      reportCommitted(appended)
      return result
    },
    since: (seq, limit) => store.events.since(seq, limit),
    seq: () => reported,
    subscribe(listener) {
      // A separate function, so that subscribing the same listener twice is two subscriptions.
      const subscribed: Listener = (logged) => listener(logged)
      listeners.add(subscribed)
      return () => listeners.delete(subscribed)
    },
    catchUp,
    state(runId) {
      const kept = states.get(runId)
      if (kept !== undefined) return kept
      const folded = store.events.ofRun(runId).reduce<RunState | null>(reduceRun, null)
      if (folded !== null) keep(runId, folded)
      return folded
    },
  }
}
