/** The result of one benchmark invocation, and what the packet counters say of it. */
import { z } from 'zod'
import { bitsPerSecond, bytes, epochMs, family, microseconds, transactionsPerSecond } from './units.ts'
import type { Bytes, Family } from './units.ts'

export const arm = z.enum(['off', 'on'])
export type Arm = z.infer<typeof arm>

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

export const measurement = z.strictObject({
  arm,
  family,
  /** 1 for the first repeat of its arm. */
  repeat: z.number().int().positive(),
  startedAt: epochMs,
  elapsedSeconds: z.number().positive(),
  requestBytes: bytes,
  responseBytes: bytes,
  tps: transactionsPerSecond,
  /** Payload one way, derived from TPS and the request's size. */
  throughput: bitsPerSecond,
  latency,
  /** TCP segments that the client sent again; null when netperf did not say. */
  retransmits: z.number().int().nonnegative().nullable(),
  /** Null when the pods' counters could not be read. */
  packets: packetRate.nullable(),
})
export type Measurement = z.infer<typeof measurement>

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
export function medianPackets(measurements: readonly Measurement[]): number | null {
  const seen = measurements.flatMap(({ packets }) => (packets === null ? [] : [packets.perRequest]))
  return seen.length === 0 ? null : median(seen)
}
