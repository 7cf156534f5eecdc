/** Tools that send one TCP stream from client to server at full speed. */
import { z } from 'zod'
import type { Benchmark } from '../measure/benchmark.ts'
import { familyName, type Family } from '../base/units.ts'

export const streamParameters = {
  /** Seconds at the start that iperf3 leaves out of its result (`-O`); netperf leaves out none. */
  omitSeconds: z.number().int().min(0).max(30).default(0),
  /** Length of a sample's time in seconds. */
  intervalSeconds: z.number().int().min(1).max(30).default(1),
}

/** Where a stream's metrics are shown. */
export const stream = {
  does: 'one stream',
  compared: ['throughput', 'bytesPerPacket', 'cpuSecondsPerGigabit'],
  charts: [['throughput'], ['cpuSecondsPerGigabit'], ['bytesPerPacket']],
  beside: ['throughput', 'cpuSecondsPerGigabit', 'bytesPerPacket'],
  figures: ['throughput', 'cpuSecondsPerGigabit', 'bytesPerPacket', 'retransmits'],
  columns: ['throughput', 'bytesPerPacket', 'cpuSecondsPerGigabit', 'retransmits'],
  caption: 'Gbit/s',
  sampled: ['throughput', 'retransmits', 'cwnd'],
  note: 'CPU time covers all work on both pods’ machines. If both pods share one machine, it is counted once.',
  wholeSeconds: true,
  subject: (_of: Benchmark, family: Family) => `one stream over ${familyName[family]}`,
} as const
