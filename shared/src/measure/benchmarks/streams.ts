/** One TCP stream from client to server at full speed, with netperf or iperf3. */
import { z } from 'zod'
import type { Benchmark, BenchmarkKind } from '../benchmark.ts'
import { familyName, type Family } from '../../base/units.ts'

const parameters = {
  /** Seconds at the start that iperf3 leaves out of its result (`-O`); netperf leaves out none. */
  omitSeconds: z.number().int().min(0).max(30).default(0),
  /** Length of a sample's time in seconds. */
  intervalSeconds: z.number().int().min(1).max(30).default(1),
}

export const tcpStreamBenchmark = z.strictObject({ tool: z.literal('tcp-stream'), ...parameters })
export const iperf3Benchmark = z.strictObject({ tool: z.literal('iperf3'), ...parameters })
export type StreamBenchmark = z.infer<typeof tcpStreamBenchmark> | z.infer<typeof iperf3Benchmark>

const shown = {
  does: 'one stream',
  parameters: [],
  compared: ['throughput', 'bytesPerPacket', 'cpuSecondsPerGigabit'],
  charts: [['throughput'], ['cpuSecondsPerGigabit'], ['bytesPerPacket']],
  beside: ['throughput', 'cpuSecondsPerGigabit', 'bytesPerPacket'],
  figures: ['throughput', 'cpuSecondsPerGigabit', 'bytesPerPacket', 'retransmits'],
  columns: ['throughput', 'bytesPerPacket', 'cpuSecondsPerGigabit', 'retransmits'],
  brief: ['throughput'],
  live: 'throughput',
  caption: 'Gbit/s',
  sampled: ['throughput', 'retransmits', 'cwnd'],
  note: 'CPU time covers all work on both pods’ machines. If both pods share one machine, it is counted once.',
  describe: () => null,
  wholeSeconds: true,
  subject: (_of: Benchmark, family: Family) => `one stream over ${familyName[family]}`,
} as const

export const tcpStream = {
  ...shown,
  tool: 'tcp-stream',
  name: 'netperf TCP_STREAM',
  schema: tcpStreamBenchmark,
  usual: { tool: 'tcp-stream', omitSeconds: 0, intervalSeconds: 1 },
  capability: null,
} as const satisfies BenchmarkKind

export const iperf3 = {
  ...shown,
  tool: 'iperf3',
  name: 'iperf3',
  schema: iperf3Benchmark,
  usual: { tool: 'iperf3', omitSeconds: 1, intervalSeconds: 1 },
  capability: 'iperf3',
} as const satisfies BenchmarkKind
