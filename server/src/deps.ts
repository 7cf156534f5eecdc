/** Builds the parts that the server and the headless command share. */
import type { Lab } from '@expresslane/shared/labs/lab'
import type { Key } from './access/principal.ts'
import { closeIdleTestbeds } from './classroom/idle.ts'
import { createPresence } from './classroom/presence.ts'
import type { Config } from './config.ts'
import { createLogger, type Base } from './deps/base.ts'
import { closing, type Closing } from './deps/close.ts'
import { openData, watchData, type Data, type Watching } from './deps/data.ts'
import { openRoom, type InRoom } from './deps/people.ts'
import { openRunning, type Running } from './deps/running.ts'
import { bench } from './labs/bench.ts'
import { createLabCatalogue } from './labs/catalogue.ts'
import { forgetOldSessions } from './operations/forgetting.ts'
import type { ReadLabs } from './read-labs.ts'
import { systemClock, type Clock } from './runs/clock.ts'
import { followOthers } from './runs/coordination/others.ts'
import type { TestbedFactories } from './testbeds/factory.ts'

/** All parts, in groups. A user names the parts that it needs: `Pick<Deps, 'store' | 'clock'>`. */
export interface Deps extends Base, Data, Watching, Running, InRoom, Closing {}

/** Parts that a test replaces. */
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
  readonly adopts?: boolean
  /** The labs of the configuration's folders. Where they are missing, they are read in this thread. */
  readonly labs?: ReadLabs
}

/** Starts the work that goes on beside the runs. @returns stops it */
function startUpkeep(base: Base, data: Data, running: Running, { presence }: InRoom): () => void {
  const { config, clock, logger, onError, adopts } = base
  const { store, log, runningRuns } = data
  const { testbeds, scheduler } = running
  const stopClosing = closeIdleTestbeds({ testbeds, scheduler, store, presence, clock, onError }, config.idleMs)
  // A command that ends after its own runs leaves this to the server.
  const forgetting = adopts ? forgetOldSessions({ store, clock, logger, keep: config.keep }) : null
  const unfollow = followOthers(log, scheduler, clock, () => runningRuns.all().length > 0, onError)
  return () => {
    stopClosing()
    forgetting?.close()
    unfollow()
  }
}

/**
 * Opens the store, ends the runs of processes that no longer exist, and builds all parts.
 *
 * @throws LabError `data_unwritable`, `data_in_use`, `config_invalid`
 */
export function openDeps(config: Config, outside: Outside = {}, { adopts = true, labs }: DepsOptions = {}): Deps {
  const logger = createLogger(config.logLevel)
  const known =
    outside.labs === undefined ? createLabCatalogue(config.labs, [bench], labs) : createLabCatalogue([], outside.labs)
  const base: Base = {
    config,
    logger,
    clock: outside.clock ?? systemClock,
    labs: known,
    findLab: known.find,
    guests: outside.guests ?? [],
    adopts,
    onError: (error) => logger.error({ err: error }, 'not recorded'),
  }
  const data = openData(base, outside.process)
  const presence = createPresence()
  const running = openRunning(base, data, outside.factories)
  const watching = watchData(base, data, presence, running.testbeds)
  const room = openRoom(base, data, running, presence)
  const stopUpkeep = startUpkeep(base, data, running, room)
  const parts = { ...base, ...data, ...watching, ...running, ...room }
  return { ...parts, ...closing({ ...parts, readLabs: labs, stopUpkeep }) }
}
