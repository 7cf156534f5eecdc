/** The event log: each event is stored first, then reported to the listeners, and never changed. */
import type { LoggedEvent, RunEvent, RunId } from '@expresslane/shared/run/events'
import type { RunState } from '@expresslane/shared/run/run-state'
import { isLocked } from '../../store/file/problems.ts'
import type { Store } from '../../store/open.ts'
import type { Clock } from '../clock.ts'
import { createFolds } from './folds.ts'
import { createLockQueue, type HeldEvent } from './lock-queue.ts'

export type Listener = (logged: LoggedEvent) => void
export type Append = (runId: RunId, ...events: RunEvent[]) => void

export interface RunLog {
  /**
   * Stores the events in one transaction. After the commit, and before this returns, reports them to every listener. While another process
   * has locked the database, both happen later, in order.
   */
  append: Append
  /** Appends events and runs the other writes of `work` in one transaction. Reports the events after the commit. */
  together<T>(work: (append: Append) => T): T
  /**
   * Resolves when every appended event is stored and the store can be written.
   *
   * @param patienceMs how long to wait for another process's lock
   * @throws LabError `data_in_use`, `data_full`
   */
  settled(patienceMs?: number): Promise<void>
  /** Events after `seq` as the store has them, in order, at most `limit`. */
  since(seq: number, limit: number): LoggedEvent[]
  /** The last reported `seq`. The result of {@link state} includes all events up to it. */
  seq(): number
  /** Every event from now on, in `seq` order, each once. @returns unsubscribes */
  subscribe(listener: Listener): () => void
  /** Reports events that other processes on the same data directory have appended. */
  catchUp(): void
  /**
   * The current state of a run, without its output and its live samples, which only those outside want (read-run.ts).
   * Null if it does not exist.
   */
  state(runId: RunId): RunState | null
}

const CHUNK = 500

/** @param onListenerError called when a listener throws; the other listeners still get the event */
export function createRunLog(store: Store, clock: Clock, onListenerError: (error: unknown) => void): RunLog {
  const listeners = new Set<Listener>()
  const folds = createFolds(store.events)
  const untold: LoggedEvent[] = []
  let reporting = false
  let reported = store.events.lastSeq()

  /** If a listener appends an event, it is reported after all listeners have received the current one. */
  function report(events: readonly LoggedEvent[]): void {
    for (const logged of events) {
      reported = logged.seq
      folds.follow(logged)
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

  function insert({ runId, at, event }: HeldEvent): LoggedEvent {
    return { seq: store.events.append(runId, at, event), runId, at, event }
  }

  /** Null while another process has locked the database. */
  function insertNow(held: readonly HeldEvent[]): LoggedEvent[] | null {
    try {
      return held.length > 1 ? store.transaction(() => held.map(insert)) : held.map(insert)
    } catch (error) {
      if (isLocked(error)) return null
      throw error
    }
  }

  const queue = createLockQueue(store, clock, (held) => {
    reportCommitted(store.transaction(() => held.map(insert)))
  })

  return {
    append(runId, ...events) {
      const held = events.map((event) => ({ runId, at: clock.now(), event }))
      const logged = queue.isEmpty() ? insertNow(held) : null
      if (logged === null) for (const one of held) queue.hold(one)
      else reportCommitted(logged)
    },
    together(work) {
      queue.flush()
      const appended: LoggedEvent[] = []
      const result = store.transaction(() =>
        work((runId, ...events) => {
          for (const event of events) appended.push(insert({ runId, at: clock.now(), event }))
        }),
      )
      reportCommitted(appended)
      return result
    },
    settled: queue.settled,
    since: (seq, limit) => store.events.since(seq, limit),
    seq: () => reported,
    subscribe(listener) {
      // A separate function, so that subscribing the same listener twice is two subscriptions.
      const subscribed: Listener = (logged) => listener(logged)
      listeners.add(subscribed)
      return () => listeners.delete(subscribed)
    },
    catchUp,
    state: folds.state,
  }
}
