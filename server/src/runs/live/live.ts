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
import type { LiveFrame } from '@expresslane/shared/wire/stream'
import { watchTestbed, type Watch } from './watch.ts'

export interface LiveReadings {
  /**
   * Sends the last known frames at once, a new reading soon after, and then every change.
   *
   * @param wants the testbeds to follow; one that no subscriber wants is not read
   * @returns a function that unsubscribes
   */
  subscribe(listener: (frame: LiveFrame) => void, wants?: (testbed: TestbedId) => boolean): () => void
  /** Reads a testbed's path now, where somebody follows it and no measurement runs. */
  readNow(testbed: TestbedId): void
  close(): Promise<void>
}

export interface LiveParts {
  readonly testbeds: Testbeds
  readonly status: TestbedStatus
  readonly log: RunLog
  readonly findLab: FindLab
  readonly clock: Clock
}

interface Subscriber {
  listener(frame: LiveFrame): void
  wants(testbed: TestbedId): boolean
  /** The testbeds that are read because of it. It may not want them any more. */
  readonly reads: Set<TestbedId>
}

export function createLiveReadings({ testbeds, status, log, findLab, clock }: LiveParts): LiveReadings {
  const subscribers = new Set<Subscriber>()
  const watches = new Map<TestbedId, Watch>()
  /** Testbeds that are not read because of a measurement. */
  const resting = new Set<TestbedId>()
  /** Watches of testbeds that are no longer in use, until they have stopped. */
  const ending = new Set<Promise<void>>()

  /** Each testbed that is read is among the `reads` of a subscriber, so when that one leaves, the others are asked. */
  function isWanted(id: TestbedId): boolean {
    for (const { wants, reads } of subscribers) {
      if (!wants(id)) continue
      reads.add(id)
      return true
    }
    return false
  }

  /** Wakes a watch that somebody wants, or notes that it rests until a measurement has ended. */
  function wake(id: TestbedId, watch: Watch, how: 'wake' | 'wakeAndTell'): void {
    resting.delete(id)
    if (!isWanted(id)) return
    watch[how]()
    if (status.quiet(id)) resting.add(id)
  }

  function begin(id: TestbedId): void {
    const watch = watchTestbed(id, {
      testbeds,
      status,
      clock,
      emit: (frame) => {
        for (const { listener, wants } of subscribers) if (wants(id)) listener(frame)
      },
    })
    watches.set(id, watch)
    wake(id, watch, 'wakeAndTell')
  }

  function end(id: TestbedId, watch: Watch): void {
    watches.delete(id)
    resting.delete(id)
    const stopped = watch.stop().finally(() => ending.delete(stopped))
    ending.add(stopped)
  }

  /** Watches the current testbeds, and stops watching testbeds that another context replaced. */
  function keepUp(): void {
    const ids = new Set(testbeds.ids())
    for (const id of ids) if (!watches.has(id)) begin(id)
    for (const [id, watch] of watches) if (!ids.has(id)) end(id, watch)
  }
  keepUp()
  const unfollow = testbeds.subscribe(keepUp)

  function follow({ runId, event }: LoggedEvent): void {
    if (event.type === 'run.started' && isMeasuring(findLab, event)) {
      for (const [id, watch] of watches) {
        if (!status.quiet(id)) continue
        watch.pause()
        resting.add(id)
      }
    }
    if (event.type !== 'run.ended' && event.type !== 'datapath.read') return
    const run = log.state(runId)
    const watch = run === null ? undefined : watches.get(run.testbed)
    if (event.type === 'datapath.read') {
      if (run !== null) watch?.take(event.datapath, run.incarnation)
      return
    }
    if (run !== null && watch !== undefined) wake(run.testbed, watch, 'wakeAndTell')
    for (const id of resting) {
      const rested = watches.get(id)
      if (rested !== undefined && !status.quiet(id)) wake(id, rested, 'wake')
    }
  }
  const unsubscribe = log.subscribe(follow)

  return {
    subscribe(listener, wants = () => true) {
      const subscriber: Subscriber = { listener, wants, reads: new Set() }
      subscribers.add(subscriber)
      for (const [id, watch] of watches) {
        if (!wants(id)) continue
        const last = watch.last()
        if (last !== null) listener(last)
        wake(id, watch, 'wakeAndTell')
      }
      return () => {
        subscribers.delete(subscriber)
        for (const id of subscriber.reads) {
          const watch = watches.get(id)
          if (watch === undefined || isWanted(id)) continue
          watch.pause()
          resting.delete(id)
        }
      }
    },
    readNow(testbed) {
      const watch = watches.get(testbed)
      if (watch !== undefined) wake(testbed, watch, 'wake')
    },
    async close() {
      unfollow()
      unsubscribe()
      subscribers.clear()
      await Promise.all([...ending, ...[...watches.values()].map((watch) => watch.stop())])
    },
  }
}
