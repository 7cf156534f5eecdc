/** The result of one benchmark invocation, and what the packet counters say of it. */
import { z } from 'zod'
import { fingerprint } from './fingerprint.ts'
import { bitsPerSecond, bytes, epochMs, family, microseconds, transactionsPerSecond } from './units.ts'
import type { Bytes, Family } from './units.ts'

/** The two arms of a BIG TCP lab. */
export const arm = z.enum(['off', 'on'])
export type Arm = z.infer<typeof arm>
export const armName: Readonly<Record<Arm, string>> = { off: 'Without BIG TCP', on: 'With BIG TCP' }

/** Any experiment's arm: `off`, `on`, `128k`, `mtu9000-on`. */
export const armId = z.string().regex(/^[a-z0-9][a-z0-9-]{0,30}$/)

/**
 * netperf's latencies for one run. Percentiles come from a histogram with 1 µs buckets for
 * 10-99 µs, 10 µs for 100-999 µs and 100 µs for 1-9.9 ms: no finer difference is real.
 */
export const latency = z.strictObject({
  min: microseconds,
  mean: microseconds,
  p50: microseconds,
  p90: microseconds,
  p99: microseconds,
  max: microseconds,
  stddev: microseconds,
})
export type Latency = z.infer<typeof latency>

/**
 * Packets that one transaction took at a pod's device. Data packets only: the kernel also
 * sends about one bare acknowledgement a request, which `acks` counts apart.
 */
export const packetRate = z.strictObject({
  /** Data packets a request took, client to server. */
  perRequest: z.number().nonnegative(),
  /** Data packets a response took, server to client. */
  perResponse: z.number().nonnegative(),
  /** Bare acknowledgements per transaction, both directions together. */
  acks: z.number().nonnegative(),
})
export type PacketRate = z.infer<typeof packetRate>

/** What every measurement tells, whatever the tool. */
const common = {
  arm: armId,
  /** The case of an experiment; null in a step that measures one thing. */
  caseId: z.string().nullable().default(null),
  family,
  /** Its place in its run's order, from 1; those that are thrown away count too. */
  repeat: z.number().int().positive(),
  /** Taken to warm up and thrown away: shown, never compared. */
  warmup: z.boolean().default(false),
  startedAt: epochMs,
  elapsedSeconds: z.number().positive(),
  /** Payload one way; of a request/response test derived from TPS and the request's size. */
  throughput: bitsPerSecond,
  /** TCP segments that the client sent again; null when the tool did not say. */
  retransmits: z.number().int().nonnegative().nullable(),
  /** Null in measurements from before it was recorded. */
  fingerprint: fingerprint.nullable().default(null),
}

export const requestResponseMeasurement = z.strictObject({
  tool: z.literal('tcp-rr'),
  ...common,
  requestBytes: bytes,
  responseBytes: bytes,
  tps: transactionsPerSecond,
  latency,
  /** Null when the pods' counters could not be read. */
  packets: packetRate.nullable(),
})
export type RequestResponseMeasurement = z.infer<typeof requestResponseMeasurement>

export const streamMeasurement = z.strictObject({
  tool: z.enum(['tcp-stream', 'iperf3']),
  ...common,
  /** Payload bytes that a data packet carried on average when it arrived at the server's device; null when unread. */
  bytesPerPacket: z.number().nonnegative().nullable(),
  /** CPU seconds that the client's and the server's machines were busy for each gigabit of payload, idle time left out; null when unread. */
  cpuSecondsPerGigabit: z.number().nonnegative().nullable(),
})
export type StreamMeasurement = z.infer<typeof streamMeasurement>

/** The result of one benchmark invocation. */
export const measurement = z.discriminatedUnion('tool', [requestResponseMeasurement, streamMeasurement])
export type Measurement = z.infer<typeof measurement>

export function isRequestResponse(of: Measurement): of is RequestResponseMeasurement {
  return of.tool === 'tcp-rr'
}

/**
 * The payload that one packet can carry under a send limit: whole segments that fit into
 * `limit - 1 - MAX_TCP_HEADER` (sk_setup_caps and tcp_tso_autosize in net/ipv4). With 64 KiB and
 * MTU 1500 that is 45 segments: 65,160 bytes over IPv4, 64,260 over IPv6.
 */
export function packetPayload(limit: Bytes, mtu: Bytes, of: Family): Bytes {
  const maxTcpHeader = 320
  const ipHeader = of === 'ipv4' ? 20 : 40
  const tcpHeaderWithTimestamps = 32
  const segment = mtu - ipHeader - tcpHeaderWithTimestamps
  return bytes.parse(Math.max(1, Math.floor((limit - 1 - maxTcpHeader) / segment)) * segment)
}

/** How many data packets a message of `size` bytes takes under a send limit. */
export function expectedPackets(size: Bytes, limit: Bytes, mtu: Bytes, of: Family): number {
  return Math.ceil(size / packetPayload(limit, mtu, of))
}

/** The middle value; the mean of the two middle ones when the count is even. NaN for none. */
export function median(values: readonly number[]): number {
  if (values.length === 0) return Number.NaN
  const sorted = values.toSorted((a, b) => a - b)
  const half = Math.floor(sorted.length / 2)
  const upper = sorted[half] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? Number.NaN) + upper) / 2
}

/** Data packets a request took: the median of the measurements that could count them; null when none could. */
export function medianPackets(measurements: readonly RequestResponseMeasurement[]): number | null {
  const seen = measurements.flatMap(({ packets }) => (packets === null ? [] : [packets.perRequest]))
  return seen.length === 0 ? null : median(seen)
}
