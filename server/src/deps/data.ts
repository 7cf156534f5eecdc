/** The data of a server: its store, the log of its runs, its recordings; and what watches them. */
import type { Presence } from '../classroom/presence.ts'
import { createMetrics, type Metrics } from '../operations/metrics.ts'
import { createReadiness, type Readiness } from '../operations/ready.ts'
import { logRuns } from '../operations/run-lines.ts'
import { watchStore, type StoreTrouble } from '../operations/store-trouble.ts'
import { createChecks } from '../replay/file/check-apart.ts'
import { createLibrary, type Library } from '../replay/library.ts'
import { createIds, type Ids } from '../runs/coordination/ids.ts'
import { createRunLog, type RunLog } from '../runs/log/run-log.ts'
import { openStore, type Store } from '../store/open.ts'
import { checkpointApart, type Checkpoints } from '../store/upkeep/checkpoints.ts'
import type { Base } from './base.ts'

export interface Data {
  readonly store: Store
  readonly checkpoints: Checkpoints
  readonly ids: Ids
  readonly log: RunLog
  readonly recordings: Library
}

/**
 * @param process this process, as named in the rows of its runs
 * @throws LabError `data_unwritable`, `data_in_use`
 */
export function openData({ config, clock, logger, onError }: Base, process: string | undefined): Data {
  const store = openStore(config.dataDir, process)
  const checkpoints = checkpointApart({
    dataDir: config.dataDir,
    timer: clock,
    mostBytes: config.mostLogBytes,
    onError: (error) => logger.warn({ err: error }, 'the write-ahead log is not copied'),
  })
  for (const { file } of store.damaged()) logger.warn({ file }, 'a damaged database is kept here')
  return {
    store,
    checkpoints,
    ids: createIds(clock),
    log: createRunLog(store, clock, onError),
    recordings: createLibrary(config.recordingsDir, store.recordings, createChecks(clock)),
  }
}

export interface Watching {
  readonly metrics: Metrics
  readonly readiness: Readiness
  readonly trouble: StoreTrouble
  /** Logs no more runs. */
  silenceRuns(): void
}

export function watchData(
  { config: { dataDir }, clock, logger }: Base,
  { store, log }: Data,
  presence: Presence,
): Watching {
  return {
    metrics: createMetrics({ log, store, clock, dataDir, streams: () => presence.streams() }),
    readiness: createReadiness({ store, dataDir }),
    trouble: watchStore(store, clock),
    silenceRuns: logRuns(log, logger),
  }
}
