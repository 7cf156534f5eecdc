/** The event log as the server uses it: persisted first, then told to whoever listens, then never changed. */
import type { LoggedEvent, RunEvent, RunId } from '@expresslane/shared/run/events'
import { reduceRun, type RunState } from '@expresslane/shared/run/run-state'
import type { Store } from '../../store/open.ts'
import type { Clock } from '../clock.ts'

export type Listener = (logged: LoggedEvent) => void
export type Append = (runId: RunId, event: RunEvent) => void

export interface RunLog {
  /** Inserts the event and, once it is committed and before this returns, tells it to every listener. */
  append: Append
  /** Appends, and whatever else `work` writes to the store, in one transaction; told after its commit. */
  together<T>(work: (append: Append) => T): T
  /** Events after `seq` as the store has them, in order, at most `limit`. */
  since(seq: number, limit: number): LoggedEvent[]
  /** The last `seq` that was told. Whatever {@link state} returns holds everything up to it. */
  seq(): number
  /** Every event from now on, in `seq` order, each once. @returns unsubscribes */
  subscribe(listener: Listener): () => void
  /** Tells what other processes on the same data directory have appended. */
  catchUp(): void
  /** A run as folded so far; null when there is no such run. */
  state(runId: RunId): RunState | null
}

const STATES_KEPT = 100
const CHUNK = 500

/** @param onListenerError a listener that throws harms neither the appender nor the other listeners */
export function createRunLog(store: Store, clock: Clock, onListenerError: (error: unknown) => void): RunLog {
  const listeners = new Set<Listener>()
  /** Least recently used first. */
  const states = new Map<RunId, RunState>()
  const untold: LoggedEvent[] = []
  let telling = false
  let told = store.events.lastSeq()

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

  /** A listener that appends is told its own event after all others heard the present one. */
  function tell(events: readonly LoggedEvent[]): void {
    for (const logged of events) {
      told = logged.seq
      fold(logged)
      untold.push(logged)
    }
    if (telling) return
    telling = true
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
      telling = false
    }
  }

  function catchUp(): void {
    for (let chunk = store.events.since(told, CHUNK); chunk.length > 0; chunk = store.events.since(told, CHUNK)) {
      tell(chunk)
    }
  }

  /** `seq` has no holes, so one that is not the next means that another process appended in between. */
  function tellCommitted(events: readonly LoggedEvent[]): void {
    if (events[0] === undefined) return
    if (events[0].seq === told + 1) tell(events)
    else catchUp()
  }

  function insert(runId: RunId, event: RunEvent): LoggedEvent {
    const at = clock.now()
    return { seq: store.events.append(runId, at, event), runId, at, event }
  }

  return {
    append(runId, event) {
      tellCommitted([insert(runId, event)])
    },
    together(work) {
      const appended: LoggedEvent[] = []
      const result = store.transaction(() => work((runId, event) => appended.push(insert(runId, event))))
      tellCommitted(appended)
      return result
    },
    since: (seq, limit) => store.events.since(seq, limit),
    seq: () => told,
    subscribe(listener) {
      // A function of its own, so that subscribing the same listener twice is two subscriptions.
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
