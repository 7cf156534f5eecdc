/** Builds the parts that the server and the headless command share. */
import type { Lab } from '@expresslane/shared/labs/lab'
import { streamClose } from '@expresslane/shared/wire/stream'
import { destination, pino, type Logger } from 'pino'
import { clientAddress } from './access/clients.ts'
import { createPeople, type People } from './access/people.ts'
import { linkOwner, type Key } from './access/principal.ts'
import { withoutSecrets } from './access/redact.ts'
import { createReach, type Reach } from './access/reach.ts'
import { closeIdleTestbeds } from './classroom/idle.ts'
import { createDriving, type Driving } from './classroom/driving.ts'
import { createMessages, type Messages } from './classroom/messages.ts'
import { createPresence, type Presence } from './classroom/presence.ts'
import { createRoom, type Room } from './classroom/room.ts'
import type { Config } from './config.ts'
import { ciliumKeys, clusterChecks, topologies } from './features/registry.ts'
import { createLabCatalogue, type LabCatalogue } from './labs/catalogue.ts'
import { bench } from './labs/bench.ts'
import { forgetOldSessions } from './operations/forgetting.ts'
import { createMetrics, type Metrics } from './operations/metrics.ts'
import { createReadiness, type Readiness } from './operations/ready.ts'
import { logRuns } from './operations/run-lines.ts'
import { watchStore, type StoreTrouble } from './operations/store-trouble.ts'
import { createPresenting, type Presenting } from './present/presenting.ts'
import { createRehearsals, type Rehearsals } from './present/rehearsals.ts'
import type { ReadLabs } from './read-labs.ts'
import { createReplayFactory } from './replay/factory.ts'
import { createChecks } from './replay/file/check-apart.ts'
import { createLibrary, type Library } from './replay/library.ts'
import { recordedText, recordSession } from './replay/record.ts'
import type { FindLab } from './runs/coordination/busy.ts'
import { systemClock, type Clock } from './runs/clock.ts'
import { createCoordinator, type Coordinator } from './runs/coordination/coordinator.ts'
import { createQuota } from './runs/coordination/quota.ts'
import { createIds, type Ids } from './runs/coordination/ids.ts'
import { createOpinions, type Opinions } from './runs/coordination/opinions.ts'
import { createLiveReadings, type LiveReadings } from './runs/live/live.ts'
import { followOthers } from './runs/coordination/others.ts'
import { liveFactory } from './runs/perform/performer.ts'
import { createRunLog, type RunLog } from './runs/log/run-log.ts'
import { createTestbedStatus, type TestbedStatus } from './runs/live/status.ts'
import { currentRun } from './runs/log/current-run.ts'
import { createTestbeds, type Testbeds } from './runs/testbeds.ts'
import { beginStopping, named, type Part } from './stopping.ts'
import { openStore, type Store } from './store/open.ts'
import { checkpointApart, type Checkpoints } from './store/upkeep/checkpoints.ts'
import { createTestbedFactories, type TestbedFactories } from './testbeds/factory.ts'

const ALIVE_MS = 60_000

/** What is logged of a request. */
interface LoggedRequest {
  readonly method: string
  readonly url: string
  readonly ip: string
}

export interface Deps {
  readonly config: Config
  readonly logger: Logger
  readonly clock: Clock
  readonly ids: Ids
  readonly labs: LabCatalogue
  readonly findLab: FindLab
  readonly store: Store
  readonly reach: Reach
  /** Keys of the principals besides the owner of the link. */
  readonly guests: readonly Key[]
  readonly log: RunLog
  readonly recordings: Library
  readonly testbeds: Testbeds
  readonly status: TestbedStatus
  readonly coordinator: Coordinator
  readonly opinions: Opinions
  readonly live: LiveReadings
  readonly presence: Presence
  readonly presenting: Presenting
  /** Those who joined. */
  readonly people: People
  readonly room: Room
  readonly messages: Messages
  readonly rehearsals: Rehearsals
  readonly driving: Driving
  readonly metrics: Metrics
  readonly readiness: Readiness
  readonly trouble: StoreTrouble
  readonly checkpoints: Checkpoints
  /** Ends and records the open runs, closes `connections`, then cleans up the testbeds. Takes at most 5 seconds. */
  close(connections?: Part): Promise<void>
  /** After {@link Deps.close}: what did not end in time, named for people. */
  left(): readonly string[]
}

/** What a test replaces. */
export interface Outside {
  /** Replaces all testbeds, including recordings. */
  readonly factories?: TestbedFactories
  readonly clock?: Clock
  readonly labs?: readonly Lab[]
  readonly guests?: readonly Key[]
  /** This process, as named in the rows of its runs. */
  readonly process?: string
}

export interface DepsOptions {
  /** Whether to take over the queued runs of ended processes. False for a command that ends after its own runs. */
  readonly adopts?: boolean
  /** The labs of the configuration's folders. Where they are missing, they are read in this thread. */
  readonly labs?: ReadLabs
}

/**
 * Opens the store, ends the runs of processes that no longer exist, and builds all parts.
 *
 * @throws LabError `data_unwritable`, `data_in_use`, `config_invalid`
 */
export function openDeps(config: Config, outside: Outside = {}, { adopts = true, labs }: DepsOptions = {}): Deps {
  // A terminal that was closed reads no more lines.
  const lines = destination(1).on('error', () => {})
  const logger = pino(
    {
      level: config.logLevel,
      // Whatever is logged while a run goes on names it.
      mixin: currentRun,
      serializers: {
        req: ({ method, url, ip }: LoggedRequest) => ({
          method,
          url: withoutSecrets(url),
          remoteAddress: clientAddress(ip),
        }),
      },
    },
    lines,
  )
  const clock = outside.clock ?? systemClock
  const known =
    outside.labs === undefined ? createLabCatalogue(config.labs, [bench], labs) : createLabCatalogue([], outside.labs)
  const find: FindLab = known.find
  const onError = (error: unknown): void => logger.error({ err: error }, 'not recorded')
  const store = openStore(config.dataDir, outside.process)
  const checkpoints = checkpointApart({
    dataDir: config.dataDir,
    timer: clock,
    mostBytes: config.mostLogBytes,
    onError: (error) => logger.warn({ err: error }, 'the write-ahead log is not copied'),
  })
  for (const { file } of store.damaged()) logger.warn({ file }, 'a damaged database is kept here')
  const ids = createIds(clock)
  const log = createRunLog(store, clock, onError)
  const presence = createPresence()
  const metrics = createMetrics({ log, store, clock, dataDir: config.dataDir, streams: () => presence.streams() })
  const readiness = createReadiness({ store, dataDir: config.dataDir })
  const trouble = watchStore(store, clock)
  const silenceRuns = logRuns(log, logger)
  const recordings = createLibrary(config.recordingsDir, store.recordings, createChecks(clock))
  const factories =
    outside.factories ??
    createTestbedFactories(
      { topologies: topologies(), ciliumKeys: ciliumKeys(), clusterChecks: clusterChecks() },
      config.kubernetes,
      config.countedKernel,
    )
  const onTestbeds = [...factories].map(([kind, factory]) => [kind, liveFactory(factory)] as const)
  const replays =
    outside.factories === undefined ? [['recording', createReplayFactory(recordings, clock)] as const] : []
  const testbeds = createTestbeds(new Map([...onTestbeds, ...replays]), store.contexts, config.participants)
  const status = createTestbedStatus({ store, log, testbeds, findLab: find, clock })
  const sessions = { store, log, testbeds, status, findLab: find, clock, ids }
  const isGuest = (person: string): boolean => person !== linkOwner.id
  const coordinator = createCoordinator({
    ...sessions,
    onError,
    adopts,
    quota: createQuota({ store, log, isGuest, clock, runs: config.guestRuns, bytes: config.guestBytes }),
    unready: () => checkpoints.problem(),
    isInstructor: (person) => !isGuest(person),
  })
  const opinions = createOpinions({ ...sessions, coordinator, onError })
  const live = createLiveReadings({ testbeds, status, log, findLab: find, clock })
  const messages = createMessages(clock)
  const driving = createDriving(clock, messages)
  const presenting = createPresenting({ store, log, findLab: find, presence, coordinator, status, driving, clock })
  const people = createPeople({
    store,
    clock,
    limit: config.participants,
    isOnline: (id) => presence.isOnline(id),
    onRemoved: (id) => {
      presence.close(id, streamClose.revoked, 'access was revoked')
      driving.leave(id)
      presenting.withdraw(id)
      room.leave(id).catch(onError)
    },
    onLoggedOut: (login) => presence.closeLogin(login, streamClose.revoked, 'logged out'),
    onLeft: (id) => {
      driving.leave(id)
      presenting.withdraw(id)
      room.leave(id).catch(onError)
    },
  })
  const room = createRoom({
    participants: () => people.participants(),
    crowded: () => people.crowded(),
    presence,
    store,
    log,
    coordinator,
    labs: known,
    clock,
    limit: config.participants,
  })
  const rehearsals = createRehearsals({
    store,
    log,
    testbeds,
    status,
    findLab: find,
    clock,
    ids,
    coordinator,
    record: async (id, name) => recordedText(await recordSession({ store, findLab: find }, id, name)),
    keep: async (text) => (await recordings.add(Buffer.from(text), clock.now())).id,
    onError,
  })
  const stopClosing = closeIdleTestbeds({ testbeds, coordinator, store, presence, clock, onError }, config.idleMs)
  // A command that ends after its own runs leaves this to the server.
  const forgetting = adopts ? forgetOldSessions({ store, clock, logger, keep: config.keep }) : null
  let left = (): readonly string[] => []
  const runsLeft = (): string[] =>
    store.runs
      .open()
      .filter(({ owner, state }) => owner === store.owner && state === 'running')
      .map(({ id, stepId, testbed }) => `the step ${stepId} on ${testbed} (run ${id})`)
  const unfollow = followOthers(log, coordinator, clock, () => store.runs.running().length > 0, onError)
  return {
    config,
    logger,
    clock,
    ids,
    labs: known,
    findLab: find,
    store,
    reach: createReach(store, presenting.presented),
    guests: outside.guests ?? [],
    log,
    recordings,
    testbeds,
    status,
    coordinator,
    opinions,
    live,
    presence,
    presenting,
    people,
    room,
    messages,
    rehearsals,
    driving,
    metrics,
    readiness,
    trouble,
    checkpoints,
    async close(connections) {
      readiness.stopping()
      // Before its runs are cancelled, which is no failed check.
      opinions.close()
      presenting.close()
      room.close()
      stopClosing()
      forgetting?.close()
      recordings.close()
      labs?.close(new Error('the server is stopping'))
      unfollow()
      // The clock's timers do not keep the process alive, and what hangs may wait for nothing.
      const alive = setInterval(() => {}, ALIVE_MS)
      const stopping = beginStopping(clock, onError)
      left = stopping.left
      await stopping.end('runs', [{ left: runsLeft, stop: () => coordinator.close() }])
      // Together: what hangs in one, such as a request to a cluster that does not answer, ends with another.
      await Promise.all([
        stopping.end('connections', connections === undefined ? [] : [connections]),
        stopping.end('readings', [
          named('watching the folders of labs', () => known.close()),
          named('reading the path', () => live.close()),
        ]),
        // The kernel removes what is left of this machine's when the process ends.
        stopping.end(
          'testbeds',
          testbeds.made().map((id) => named(`the testbed ${id}`, () => testbeds.renew(id))),
        ),
      ])
      silenceRuns()
      metrics.close()
      trouble.close()
      people.close()
      checkpoints.close()
      store.close()
      clearInterval(alive)
    },
    left: () => left(),
  }
}
