/** The parts that run labs: the testbeds with their state, and the scheduler of the runs. */
import { linkOwner } from '../access/principal.ts'
import { ciliumKeys, clusterChecks, topologies } from '../features/registry.ts'
import { createReplayFactory } from '../replay/factory.ts'
import { createScheduler } from '../runs/coordination/scheduler.ts'
import { createOpinions } from '../runs/coordination/opinions.ts'
import { createQuota } from '../runs/coordination/quota.ts'
import { createLiveReadings } from '../runs/live/live.ts'
import { createTestbedStatus } from '../runs/live/status.ts'
import { liveFactory } from '../runs/perform/perform.ts'
import { createQueue } from '../runs/queue/queue.ts'
import { createTestbeds, type Testbeds } from '../runs/testbeds.ts'
import { createTerminals } from '../terminals/terminals.ts'
import { createTestbedFactories, type TestbedFactories } from '../testbeds/factory.ts'
import type { Base } from './base.ts'
import type { Data } from './data.ts'

export type Running = ReturnType<typeof openRunning>

/** @param replaced the factories of all testbeds, and no recordings; undefined for the testbeds of the configuration */
function testbedsOf(
  { config, clock }: Base,
  { store, recordings }: Data,
  replaced: TestbedFactories | undefined,
): Testbeds {
  const factories =
    replaced ??
    createTestbedFactories(
      { topologies: topologies(), ciliumKeys: ciliumKeys(), clusterChecks: clusterChecks() },
      config,
    )
  const onTestbeds = [...factories].map(([kind, factory]) => [kind, liveFactory(factory)] as const)
  const replays = replaced === undefined ? [['recording', createReplayFactory(recordings, clock)] as const] : []
  return createTestbeds(new Map([...onTestbeds, ...replays]), store.contexts, config.participants)
}

/** Ends the runs of processes that no longer exist. */
export function openRunning(base: Base, data: Data, replaced: TestbedFactories | undefined) {
  const { config, clock, findLab, adopts, onError } = base
  const { store, log, ids, checkpoints, runningRuns } = data
  const testbeds = testbedsOf(base, data, replaced)
  const status = createTestbedStatus({ store, log, runningRuns, testbeds, findLab, clock })
  const sessions = { store, log, testbeds, status, findLab, clock, ids }
  const isGuest = (person: string): boolean => person !== linkOwner.id
  const isInstructor = (person: string): boolean => !isGuest(person)
  const queue = createQueue({ store, log, findLab, clock, isInstructor })
  const scheduler = createScheduler({
    ...sessions,
    queue,
    runningRuns,
    onError,
    adopts,
    quota: createQuota({ store, log, isGuest, clock, runs: config.guestRuns, bytes: config.guestBytes }),
    unready: () => checkpoints.problem(),
  })
  const live = createLiveReadings({ testbeds, status, log, findLab, clock })
  return {
    testbeds,
    terminals: createTerminals(testbeds, clock, live.readNow),
    status,
    queue,
    scheduler,
    opinions: createOpinions({ ...sessions, scheduler, onError }),
    live,
  }
}
