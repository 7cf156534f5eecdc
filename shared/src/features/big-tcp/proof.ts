/** Proves the path's send limit by the number of packets per message, which does not depend on the speed. */
import { i18n } from '../../base/language.ts'
import { tcpRrBenchmark, type TcpRrBenchmark } from '../../tools/netperf/tcp-rr.ts'
import { median, valuesOf, type Measurement } from '../../measure/measurement.ts'
import type { Settings } from '../../base/settings.ts'
import { formatCount, type Bytes, type Family } from '../../base/units.ts'
import type { Observation } from '../../base/observation.ts'
import { BIG_TCP_CAP, bigTcpSize } from './size.ts'
import { LEGACY_MAX_SIZE, type DatapathState } from '../../testbed/reading.ts'
import { transactionsOf } from '../counted-packets.ts'
import type { ProofInput } from '../feature.ts'
import { expectedPackets } from './payload.ts'
import { isOn, limitOf } from './settings.ts'

/** A rare probe adds a few packets; a wrong packet size changes the number by one or more. */
const PACKET_TOLERANCE = 0.25
/** Among many packets, probes and retransmits add a few, and GRO merges a few. */
const RELATIVE_TOLERANCE = 0.05
/**
 * The kernel puts no more than half of the congestion window into one packet (tcp_cwnd_test in
 * net/ipv4/tcp_output.c). A window grows to twice a request unless its slow start ends early, which happens with long
 * requests: 160,000 bytes always took one packet, 500,000 took two in some runs (measured).
 */
const HALF_WINDOW_FROM = BIG_TCP_CAP

/** Packets of netperf's control connection, in each direction: it takes the same way (measured). */
const CONTROL_PACKETS = 6
/** In segments (RFC 6928). It doubles with each round trip of slow start. */
const INITIAL_WINDOW = 10
/** A whole packet more means another limit, however few transactions a run had. */
const MOST_TOLERANCE = 0.9

/** The smallest and the largest number of packets that prove a limit. */
interface Range {
  readonly least: number
  readonly most: number
  /** Packets that a run adds once: of the control connection, and until the window holds the message. */
  readonly once: number
}

/**
 * The send limit that follows from settings; null if the devices do not report their maximum.
 *
 * @param node the node of the devices; null for the limit of the whole path
 */
export function sizeFor(
  settings: Settings,
  family: Family,
  state: DatapathState,
  node: string | null = null,
): Bytes | null {
  if (!isOn(settings, family)) return LEGACY_MAX_SIZE
  return limitOf(settings) ?? bigTcpSize(state.kernel, node)
}

function packetsFor(size: Bytes, limit: Bytes, mtu: Bytes, of: Family): Range {
  const least = expectedPackets(size, limit, mtu, of)
  // Each round trip takes two packets at least, since none holds more than half of the window.
  const rounds = Math.max(0, Math.ceil(Math.log2(size / mtu / INITIAL_WINDOW))) + 1
  return { least, most: least === 1 && size > HALF_WINDOW_FROM ? 2 : least, once: CONTROL_PACKETS + 2 * rounds }
}

function aboutPackets({ least, most }: Pick<Range, 'least' | 'most'>): string {
  return least === most ? i18n.t('about {count}', { count: least }) : i18n.t('about {least} to {most}', { least, most })
}

/** The packets that a run adds once, for each transaction of the middle run: a tenth of a packet where there were a hundred. */
function shareOf({ once }: Range, measurements: readonly Measurement[]): number {
  const transactions = measurements.map(transactionsOf).filter((count) => count > 0)
  return transactions.length === 0 ? 0 : once / median(transactions)
}

function observeRate(
  label: string,
  metric: 'packetsPerRequest' | 'packetsPerResponse',
  measurements: readonly Measurement[],
  expected: Range | null,
): Observation {
  const seen = valuesOf(measurements, metric)
  const middle = seen.length === 0 ? null : median(seen)
  if (expected === null || middle === null) {
    const about = expected === null ? i18n.t('unknown') : aboutPackets(expected)
    return { label, expected: about, seen: middle?.toFixed(2) ?? i18n.t('unknown'), ok: false }
  }
  const { least, most } = expected
  const tolerance = (packets: number): number => Math.max(PACKET_TOLERANCE, packets * RELATIVE_TOLERANCE)
  const withShare = tolerance(most) + shareOf(expected, measurements)
  const above = Math.max(tolerance(most), Math.min(MOST_TOLERANCE, withShare))
  return {
    label,
    expected: aboutPackets(expected),
    seen: middle.toFixed(2),
    ok: middle >= least - tolerance(least) && middle <= most + above,
  }
}

/** Checks whether requests and responses took the number of packets that the send limit predicts. */
function observePackets(
  { requestBytes, responseBytes }: TcpRrBenchmark,
  { family, measurements, datapath }: ProofInput,
  limit: Bytes | null,
): Observation[] {
  const mtu = datapath.kernel.find((device) => device.role === 'pod')?.mtu
  const expect = (size: Bytes): Range | null =>
    limit === null || mtu === undefined ? null : packetsFor(size, limit, mtu, family)
  return [
    observeRate(i18n.t('data packets per request'), 'packetsPerRequest', measurements, expect(requestBytes)),
    observeRate(i18n.t('data packets per response'), 'packetsPerResponse', measurements, expect(responseBytes)),
  ]
}

/**
 * Checks whether a stream's packets are within a send limit. Their size on arrival also depends on the receiver's
 * device, so only larger packets contradict the limit; the devices' readings show that it was set.
 */
function observeStream(taken: readonly Measurement[], limit: Bytes | null): Observation {
  const carried = valuesOf(taken, 'bytesPerPacket')
  const middle = carried.length === 0 ? null : median(carried)
  return {
    label: i18n.t('payload per packet'),
    expected: limit === null ? i18n.t('unknown') : i18n.t('at most {count} bytes', { count: formatCount(limit) }),
    seen: middle === null ? i18n.t('unknown') : i18n.t('{count} bytes', { count: formatCount(Math.round(middle)) }),
    ok: limit !== null && middle !== null && middle <= limit,
  }
}

/** Checks the packets of requests and responses, or of a stream, against the arm's send limit. */
export function proof(input: ProofInput): Observation[] {
  const { settings, benchmark, family, measurements, datapath } = input
  const limit = sizeFor(settings, family, datapath)
  const requests = tcpRrBenchmark.safeParse(benchmark)
  return requests.success ? observePackets(requests.data, input, limit) : [observeStream(measurements, limit)]
}
