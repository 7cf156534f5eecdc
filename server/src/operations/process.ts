/** Metrics of the process, under the names that Prometheus's own libraries use. */
import { readdir } from 'node:fs/promises'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Counter, Gauge, type GaugeConfiguration, type Registry } from 'prom-client'

/** How often the loop's delay is sampled: each sample is a wake-up of this process, beside whatever it measures. */
const RESOLUTION_MS = 50

const QUANTILES = [0.5, 0.99] as const
const NS_PER_S = 1e9

type GaugeOf = <Label extends string = never>(gauge: Omit<GaugeConfiguration<Label>, 'registers'>) => Gauge<Label>

/** @returns adds a gauge to the registry */
export function gaugesOf(registry: Registry): GaugeOf {
  return (gauge) => new Gauge({ ...gauge, registers: [registry] })
}

/**
 * @returns stops watching. The loop's delay is watched from the first scrape on: without a Prometheus it costs nothing
 */
export function watchProcess(registry: Registry): () => void {
  const gauge = gaugesOf(registry)
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  let watching = false

  /** The monitor measures from one sample to the next. */
  const late = (nanoseconds: number): number => Math.max(0, nanoseconds / NS_PER_S - RESOLUTION_MS / 1000)

  gauge({
    name: 'expresslane_loop_delay_seconds',
    help: 'How much too late the event loop came to its work since the last scrape; quantile 1 is the longest delay.',
    labelNames: ['quantile'],
    collect() {
      if (watching && delay.count > 0) {
        for (const quantile of QUANTILES) this.set({ quantile }, late(delay.percentile(quantile * 100)))
        this.set({ quantile: 1 }, late(delay.max))
      }
      watching = true
      delay.enable()
      delay.reset()
    },
  })
  gauge({
    name: 'process_resident_memory_bytes',
    help: 'Memory of this process in RAM.',
    collect() {
      this.set(process.memoryUsage.rss())
    },
  })
  gauge({
    name: 'nodejs_heap_size_used_bytes',
    help: 'Memory that JavaScript objects use.',
    collect() {
      this.set(process.memoryUsage().heapUsed)
    },
  })
  registry.registerMetric(
    new Counter({
      name: 'process_cpu_seconds_total',
      help: 'Processor time that this process used.',
      registers: [],
      collect() {
        const { user, system } = process.cpuUsage()
        this.reset()
        this.inc((user + system) / 1e6)
      },
    }),
  )
  gauge({
    name: 'process_start_time_seconds',
    help: 'When this process started, in seconds since 1970.',
  }).set(performance.timeOrigin / 1000)
  gauge({
    name: 'process_open_fds',
    help: 'Open files and sockets.',
    async collect() {
      const open = await readdir('/proc/self/fd').catch(() => null)
      if (open !== null) this.set(open.length)
    },
  })
  return () => void delay.disable()
}
