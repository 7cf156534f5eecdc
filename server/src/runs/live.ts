/** The paths of all testbeds as they are now: read while somebody looks, never while a measurement runs. */
import type { LoggedEvent } from '@expresslane/shared/run/events'
import type { TestbedKind } from '@expresslane/shared/testbed/testbed'
import { isMeasuring, type FindLab } from './busy.ts'
import type { Clock } from './clock.ts'
import type { RunLog } from './run-log.ts'
import type { TestbedStatus } from './status.ts'
import type { Testbeds } from './testbeds.ts'
import { watchTestbed, type LiveFrame, type Watch } from './watch.ts'

export interface LiveReadings {
  /**
   * Tells the last known frames at once, a new reading soon, and from then on whatever is news.
   *
   * @returns unsubscribes
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
  const watches = new Map<TestbedKind, Watch>(
    testbeds.kinds.map((kind) => [
      kind,
      watchTestbed(kind, {
        testbeds,
        status,
        clock,
        tell: (frame) => {
          for (const listener of listeners) listener(frame)
        },
      }),
    ]),
  )

  function follow({ runId, event }: LoggedEvent): void {
    if (event.type === 'run.started' && isMeasuring(findLab, event)) watches.get(event.testbed)?.pause()
    if (event.type !== 'run.ended') return
    const testbed = log.state(runId)?.testbed
    if (testbed !== undefined && listeners.size > 0) watches.get(testbed)?.wakeAndTell()
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
      unsubscribe()
      listeners.clear()
      await Promise.all([...watches.values()].map((watch) => watch.stop()))
    },
  }
}
