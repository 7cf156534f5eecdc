/** The running runs, in memory: a room's streams ask at each start and end of one, and a room has hundreds of both. */
import type { LoggedEvent, RunId } from '@expresslane/shared/run/events'
import type { TestbedId } from '@expresslane/shared/testbed/id'
import type { Store } from '../../store/open.ts'
import type { RunRow } from '../../store/runs.ts'
import type { RunLog } from './run-log.ts'

export type RunningRun = Pick<RunRow, 'id' | 'sessionId' | 'labId' | 'stepId' | 'testbed'>

/** The running runs of all processes on the data directory, as far as the log has reported them. */
export interface RunningRuns {
  /** In the order of their starts. */
  all(): RunningRun[]
  on(testbed: TestbedId): RunningRun | null
  /** @param listener called after a run has started or ended on the testbed. @returns unsubscribes */
  subscribe(listener: (testbed: TestbedId) => void): () => void
}

/** Create it before any part that asks it in a listener of the log: it hears of an event first then. */
export function createRunningRuns({ runs }: Pick<Store, 'runs'>, log: Pick<RunLog, 'subscribe'>): RunningRuns {
  const running = new Map<RunId, RunningRun>()
  const holders = new Map<TestbedId, RunningRun>()
  const listeners = new Set<(testbed: TestbedId) => void>()

  function add(run: RunningRun): void {
    running.set(run.id, run)
    holders.set(run.testbed, run)
  }

  function follow({ runId: id, event }: LoggedEvent): void {
    if (event.type === 'run.started') add({ ...event, id })
    const run = running.get(id)
    if (run === undefined || (event.type !== 'run.started' && event.type !== 'run.ended')) return
    if (event.type === 'run.ended') {
      running.delete(id)
      if (holders.get(run.testbed) === run) holders.delete(run.testbed)
    }
    for (const listener of listeners) listener(run.testbed)
  }

  for (const run of runs.running()) add(run)
  log.subscribe(follow)

  return {
    all: () => [...running.values()],
    on: (testbed) => holders.get(testbed) ?? null,
    subscribe(listener) {
      const subscribed = (testbed: TestbedId): void => listener(testbed)
      listeners.add(subscribed)
      return () => listeners.delete(subscribed)
    },
  }
}
