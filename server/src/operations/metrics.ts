/** The metrics that Prometheus reads at `GET /metrics`. docs/operations.md explains each. */
import { stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunState } from '@expresslane/shared/run/run-state'
import { parseTestbedId, type TestbedId } from '@expresslane/shared/testbed/id'
import type { EpochMs } from '@expresslane/shared/base/units'
import type { Role } from '@expresslane/shared/wire/room'
import packageJson from '../../package.json' with { type: 'json' }
import { Counter, Histogram, Registry } from 'prom-client'
import type { Presence } from '../classroom/presence.ts'
import type { Clock } from '../runs/clock.ts'
import type { RunLog } from '../runs/log/run-log.ts'
import { DATABASE } from '../store/file/damaged.ts'
import type { Store } from '../store/open.ts'
import { gaugesOf, watchProcess } from './process.ts'

export interface Metrics {
  readonly contentType: string
  /** All metrics in Prometheus's text format. */
  text(): Promise<string>
  /** A client's connection took an event that was stored `at`. */
  delivered(role: Role, at: EpochMs): void
  /** A request was answered. */
  answered(status: number): void
  close(): void
}

export interface MetricsParts {
  readonly log: RunLog
  readonly store: Store
  readonly clock: Clock
  readonly dataDir: string
  /** How many streams of each role are open. */
  streams(): ReturnType<Presence['streams']>
  /** The testbeds that exist. */
  testbeds(): readonly TestbedId[]
}

const RUN_SECONDS = [0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 900]
const WAIT_SECONDS = [1, 5, 15, 60, 300, 900, 3600]
const LAG_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5]

/** The labels of a run. Not the testbed's id or the step: each value makes a new series. */
function labelsOf({ labId, testbed }: Pick<RunState, 'labId' | 'testbed'>): { lab: string; testbed: string } {
  return { lab: labId, testbed: parseTestbedId(testbed).kind }
}

async function bytesOf(file: string): Promise<number> {
  return await stat(file).then(
    ({ size }) => size,
    // SQLite removes its log when the last connection closes.
    () => 0,
  )
}

/** Counts and durations since the start. A restart forgets them; Prometheus has the earlier values. */
function countersIn(registry: Registry) {
  const registers = [registry]
  const ended = new Counter({
    name: 'expresslane_runs_ended_total',
    help: 'Runs that ended, by lab, kind of testbed, and the state they ended in.',
    labelNames: ['lab', 'testbed', 'state'],
    registers,
  })
  const lasted = new Histogram({
    name: 'expresslane_run_duration_seconds',
    help: 'How long runs took from start to end, without their time in the queue.',
    labelNames: ['lab', 'testbed'],
    buckets: RUN_SECONDS,
    registers,
  })
  const waited = new Histogram({
    name: 'expresslane_queue_wait_seconds',
    help: 'How long runs that started had waited in the queue.',
    buckets: WAIT_SECONDS,
    registers,
  })
  const lag = new Histogram({
    name: 'expresslane_event_lag_seconds',
    help: 'Time from an event being stored to the system taking it for a client.',
    labelNames: ['role'],
    buckets: LAG_SECONDS,
    registers,
  })
  const answers = new Counter({
    name: 'expresslane_http_answers_total',
    help: 'Answered requests by status code.',
    labelNames: ['code'],
    registers,
  })
  return { ended, lasted, waited, lag, answers }
}

/** Gauges that read the store and the machine at each scrape. */
function gaugeState(gauge: ReturnType<typeof gaugesOf>, { store, dataDir, streams, testbeds }: MetricsParts): void {
  gauge({
    name: 'expresslane_runs',
    help: 'Runs that run or wait now, by lab, kind of testbed, and state.',
    labelNames: ['lab', 'testbed', 'state'],
    collect() {
      this.reset()
      for (const run of store.runs.open()) this.inc({ ...labelsOf(run), state: run.state })
    },
  })
  gauge({
    name: 'expresslane_testbeds',
    help: 'Testbeds that exist, by kind.',
    labelNames: ['testbed'],
    collect() {
      this.reset()
      for (const id of testbeds()) this.inc({ testbed: parseTestbedId(id).kind })
    },
  })
  gauge({
    name: 'expresslane_queue_length',
    help: 'Runs that wait for their turn.',
    collect() {
      this.set(store.runs.queued().length)
    },
  })
  gauge({
    name: 'expresslane_queue_paused',
    help: '1 while the instructor holds the queue.',
    collect() {
      this.set(store.queue.paused() ? 1 : 0)
    },
  })
  gauge({
    name: 'expresslane_stream_clients',
    help: 'Open event streams, by the role of who reads them.',
    labelNames: ['role'],
    collect() {
      for (const [role, count] of streams()) this.set({ role }, count)
    },
  })
  gauge({
    name: 'expresslane_store_bytes',
    help: 'Size of the database and of its write-ahead log.',
    labelNames: ['file'],
    async collect() {
      this.set({ file: 'database' }, await bytesOf(join(dataDir, DATABASE)))
      this.set({ file: 'log' }, await bytesOf(join(dataDir, `${DATABASE}-wal`)))
    },
  })
  gauge({
    name: 'expresslane_store_free_bytes',
    help: 'Free space where the data is.',
    async collect() {
      const { bavail, bsize } = await statfs(dataDir)
      this.set(bavail * bsize)
    },
  })
}

/** Counts the runs that start and end. @returns unsubscribes */
function countRuns(log: RunLog, { ended, lasted, waited }: ReturnType<typeof countersIn>): () => void {
  /** When each waiting run was queued. */
  const queuedAt = new Map<string, EpochMs>()

  return log.subscribe(({ runId, at, event }) => {
    if (event.type === 'run.queued') {
      if (!queuedAt.has(runId)) queuedAt.set(runId, at)
    } else if (event.type === 'run.started') {
      const since = queuedAt.get(runId)
      queuedAt.delete(runId)
      waited.observe(since === undefined ? 0 : (at - since) / 1000)
    } else if (event.type === 'run.ended') {
      const state = log.state(runId)
      if (state === null) return
      const neverStarted = queuedAt.delete(runId)
      ended.inc({ ...labelsOf(state), state: event.state })
      if (!neverStarted) lasted.observe(labelsOf(state), (at - state.startedAt) / 1000)
    }
  })
}

/** Registers all metrics, and counts from now on. */
export function createMetrics(parts: MetricsParts): Metrics {
  const registry = new Registry()
  const gauge = gaugesOf(registry)
  const endProcess = watchProcess(registry)
  gauge({ name: 'expresslane_info', help: 'Always 1; the version.', labelNames: ['version'] }).set(
    { version: packageJson.version },
    1,
  )
  const counters = countersIn(registry)
  gaugeState(gauge, parts)
  const unsubscribe = countRuns(parts.log, counters)
  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    delivered: (role, at) => counters.lag.observe({ role }, Math.max(0, parts.clock.now() - at) / 1000),
    answered: (status) => counters.answers.inc({ code: String(status) }),
    close() {
      unsubscribe()
      endProcess()
    },
  }
}
