/** What is run to measure: the tool and its parameters. */
import { z } from 'zod'
import { bytes, formatCount } from './units.ts'

/** netperf's TCP_RR: one request and one response at a time. */
export const requestResponseBenchmark = z.strictObject({
  tool: z.literal('tcp-rr'),
  requestBytes: bytes.min(1).max(1_048_576),
  responseBytes: bytes.min(1).max(1_048_576),
})
export type RequestResponseBenchmark = z.infer<typeof requestResponseBenchmark>

/** One TCP stream from client to server, as fast as it goes. */
export const streamBenchmark = z.strictObject({
  tool: z.enum(['tcp-stream', 'iperf3']),
  /** Seconds at the start that iperf3 leaves out of its result (`-O`); netperf leaves out none. */
  omitSeconds: z.number().int().min(0).max(30).default(0),
  /** Seconds that an interval row covers. */
  intervalSeconds: z.number().int().min(1).max(30).default(1),
})
export type StreamBenchmark = z.infer<typeof streamBenchmark>

export const benchmark = z.discriminatedUnion('tool', [requestResponseBenchmark, streamBenchmark])
export type Benchmark = z.infer<typeof benchmark>
export type Tool = Benchmark['tool']

export const toolName: Readonly<Record<Tool, string>> = {
  'tcp-rr': 'netperf TCP_RR',
  'tcp-stream': 'netperf TCP_STREAM',
  iperf3: 'iperf3',
}

/** `netperf TCP_RR, 80,000 / 80,000 bytes`. */
export function benchmarkName(of: Benchmark): string {
  const name = toolName[of.tool]
  return of.tool === 'tcp-rr'
    ? `${name}, ${formatCount(of.requestBytes)} / ${formatCount(of.responseBytes)} bytes`
    : name
}
