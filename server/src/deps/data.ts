/** The data of a server: its store, the log of its runs, its recordings; and their watchers. */
import type { Presence } from '../classroom/presence.ts'
import { createMetrics } from '../operations/metrics.ts'
import { createReadiness } from '../operations/ready.ts'
import { logRuns } from '../operations/run-lines.ts'
import { watchStore } from '../operations/store-trouble.ts'
import { createChecks } from '../replay/check-apart.ts'
import { createLibrary } from '../replay/library.ts'
import { createIds } from '../runs/coordination/ids.ts'
import { createRunLog } from '../runs/log/run-log.ts'
import { createRunningRuns } from '../runs/log/running-runs.ts'
import type { Testbeds } from '../runs/testbeds.ts'
import { openStore } from '../store/open.ts'
import { checkpointApart } from '../store/upkeep/checkpoints.ts'
import type { Base } from './base.ts'

export type Data = ReturnType<typeof openData>
export type Watching = ReturnType<typeof watchData>

/**
 * Opens the store, and says where a damaged store is kept.
 *
 * @param process this process, as named in the rows of its runs
 * @throws LabError `data_unwritable`, `data_in_use`
 */
export function openData({ config, clock, logger, onError }: Base, process: string | undefined) {
  const store = openStore(config.dataDir, process)
  const checkpoints = checkpointApart({
    dataDir: config.dataDir,
    timer: clock,
    mostBytes: config.mostLogBytes,
    onError: (error) => logger.warn({ err: error }, 'the write-ahead log is not copied'),
  })
  for (const { file } of store.damaged()) logger.warn({ file }, 'a damaged database is kept here')
  const log = createRunLog(store, clock, onError)
  return {
    store,
    checkpoints,
    ids: createIds(clock),
    log,
    runningRuns: createRunningRuns(store, log),
    recordings: createLibrary(config.recordingsDir, store.recordings, createChecks(clock)),
  }
}

/** Watches the data from outside: for Prometheus, for health checks, for the page, in the log. */
export function watchData(
  { config: { dataDir }, clock, logger }: Base,
  { store, log }: Data,
  presence: Presence,
  testbeds: Testbeds,
) {
  return {
    metrics: createMetrics({ log, store, clock, dataDir, streams: () => presence.streams(), testbeds: testbeds.made }),
    readiness: createReadiness({ store, dataDir }),
    trouble: watchStore(store, clock),
    silenceRuns: logRuns(log, logger),
  }
}
