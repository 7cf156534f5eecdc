/**
 * The current paths of all testbeds: read while somebody is subscribed, never during a measurement. Readings by a run,
 * such as an experiment's, are reported too.
 */
import type { LoggedEvent } from '@expresslane/shared/run/events'
import type { TestbedId } from '@expresslane/shared/testbed/id'
import { isMeasuring, type FindLab } from '../coordination/busy.ts'
import type { Clock } from '../clock.ts'
import type { RunLog } from '../log/run-log.ts'
import type { TestbedStatus } from './status.ts'
import type { Testbeds } from '../testbeds.ts'
import type { LiveFrame } from '@expresslane/shared/wire/protocol'
import { watchTestbed, type Watch } from './watch.ts'

export interface LiveReadings {
  /**
   * Sends the last known frames at once, a new reading soon after, and then every change.
   *
   * @returns a function that unsubscribes
   */
  subscribe(listener: (frame: LiveFrame) => void): () => void
  close(): Promise<void>
}

export interface LiveParts {
  readonly testbeds: Testbeds
  readonly status: TestbedStatus
  readonly log: RunLog
  readonly findLab: FindLab
  readonly clock: Clock
}

export function createLiveReadings({ testbeds, status, log, findLab, clock }: LiveParts): LiveReadings {
  const listeners = new Set<(frame: LiveFrame) => void>()
  const watches = new Map<TestbedId, Watch>()
  /** Watches of testbeds that are no longer in use, until they have stopped. */
  const ending = new Set<Promise<void>>()

  function begin(id: TestbedId): void {
    const watch = watchTestbed(id, {
      testbeds,
      status,
      clock,
      emit: (frame) => {
        for (const listener of listeners) listener(frame)
      },
    })
    watches.set(id, watch)
    if (listeners.size > 0) watch.wakeAndTell()
  }

  function end(id: TestbedId, watch: Watch): void {
    watches.delete(id)
    const stopped = watch.stop().finally(() => ending.delete(stopped))
    ending.add(stopped)
  }

  /** Watches the current testbeds, and stops watching those that another context replaced. */
  function keepUp(): void {
    const ids = new Set(testbeds.ids())
    for (const id of ids) if (!watches.has(id)) begin(id)
    for (const [id, watch] of watches) if (!ids.has(id)) end(id, watch)
  }
  keepUp()
  const unfollow = testbeds.subscribe(keepUp)

  function follow({ runId, event }: LoggedEvent): void {
    if (event.type === 'run.started' && isMeasuring(findLab, event)) {
      for (const [id, watch] of watches) if (status.quiet(id)) watch.pause()
    }
    if (event.type !== 'run.ended' && event.type !== 'datapath.read') return
    const run = log.state(runId)
    const watch = run === null ? undefined : watches.get(run.testbed)
    if (run === null || watch === undefined) return
    if (event.type === 'datapath.read') watch.take(event.datapath, run.incarnation)
    else if (listeners.size > 0) {
      watch.wakeAndTell()
      for (const other of watches.values()) if (other !== watch) other.wake()
    }
  }
  const unsubscribe = log.subscribe(follow)

  return {
    subscribe(listener) {
      const subscribed = (frame: LiveFrame): void => listener(frame)
      listeners.add(subscribed)
      for (const watch of watches.values()) {
        const last = watch.last()
        if (last !== null) subscribed(last)
        watch.wakeAndTell()
      }
      return () => {
        listeners.delete(subscribed)
        if (listeners.size === 0) for (const watch of watches.values()) watch.pause()
      }
    },
    async close() {
      unfollow()
      unsubscribe()
      listeners.clear()
      await Promise.all([...ending, ...[...watches.values()].map((watch) => watch.stop())])
    },
  }
}
