/** What the devices of the path should report, and what they do: the observations of a step's check. */
import type { Observation } from '@expresslane/shared/run/events'
import {
  BIG_TCP_CAP,
  groLimit,
  gsoLimit,
  LEGACY_MAX_SIZE,
  switchedSize,
  type DatapathState,
  type Reading,
} from '@expresslane/shared/testbed/reading'
import {
  expectedPackets,
  median,
  type RequestResponseMeasurement,
  type StreamMeasurement,
} from '@expresslane/shared/measure/measurement'
import { formatCount, type Bytes, type Family } from '@expresslane/shared/measure/units'

export type Side = 'off' | 'on'

/**
 * The size that a side calls for; null where the devices do not tell their maximum.
 *
 * @param node the node whose devices are meant; null for what the whole path lets through
 */
export function sizeFor(side: Side, state: DatapathState, node: string | null = null): Bytes | null {
  return side === 'off' ? LEGACY_MAX_SIZE : switchedSize(state, node)
}

function show(size: Bytes | null): string {
  return size === null ? 'unknown' : formatCount(size)
}

function observeDevice(device: Reading, of: Family, want: Bytes | null): Observation {
  const gso = gsoLimit(device, of)
  const gro = groLimit(device, of)
  return {
    label: `${device.where} ${device.device}`,
    expected: `GSO ${show(want)}, GRO ${show(want)}`,
    seen: `GSO ${show(gso)}, GRO ${show(gro)}`,
    ok: want !== null && gso === want && gro === want,
  }
}

/** A wire that cuts at 64 KiB makes BIG TCP slower than none, so its limit must be no smaller than the path's. */
function observeWire(device: Reading, of: Family, want: Bytes | null): Observation {
  const gso = gsoLimit(device, of)
  return {
    label: `${device.where} ${device.device}`,
    expected: `GSO at least ${show(want)}`,
    seen: `GSO ${show(gso)}`,
    ok: want !== null && gso !== null && gso >= want,
  }
}

/**
 * One observation a device, in the path's order, each held against its own node's size; what could not be
 * read comes last, and is not ok.
 *
 * @param sides what the nodes' native devices and what the pods' ends should carry; a side
 * left out is not looked at
 */
export function observePath(
  state: DatapathState,
  of: Family,
  sides: { readonly nodes?: Side; readonly pods?: Side },
): Observation[] {
  const devices = state.kernel.flatMap((device) => {
    if (device.role === 'wire') {
      return sides.nodes === 'on' ? [observeWire(device, of, sizeFor('on', state))] : []
    }
    const side = device.native ? sides.nodes : sides.pods
    return side === undefined ? [] : [observeDevice(device, of, sizeFor(side, state, device.node))]
  })
  const unread = state.unread.map(({ where, reason }) => ({
    label: where,
    expected: 'readable',
    seen: `unknown: ${reason}`,
    ok: false,
  }))
  return [...devices, ...unread]
}

/** The intent and each agent's word for a family, as observations. */
export function observeIntent(state: DatapathState, of: Family, side: Side): Observation[] {
  const want = side === 'on'
  const word = (on: boolean | undefined): string => (on === undefined ? 'unknown' : on ? 'on' : 'off')
  const agents = (state.agents ?? []).map(({ node, setting, unreadable, overriddenBy }) => {
    const seen = unreadable ?? word(setting?.[of])
    return {
      label: `agent on ${node}`,
      expected: side,
      seen: overriddenBy === null ? seen : `${seen} (${overriddenBy} has the last word on this node)`,
      ok: setting?.[of] === want,
    }
  })
  const intended = state.intended[of]
  return [{ label: 'intended', expected: side, seen: word(intended), ok: intended === want }, ...agents]
}

/** Connection set-up and a rare probe add a little to the packets; a wrong packet size is off by one or more. */
const PACKET_TOLERANCE = 0.25
/** Of many packets, a few more are probes and what was sent again, a few less what GRO glued together. */
const RELATIVE_TOLERANCE = 0.05
/**
 * The kernel puts no more than half of the congestion window into one packet (tcp_cwnd_test in
 * net/ipv4/tcp_output.c). A window grows to twice a request only where nothing ends its slow start early, as it does
 * with requests that take long: 160,000 bytes always went as one packet, 500,000 in some runs as two (measured).
 */
const HALF_WINDOW_FROM = BIG_TCP_CAP

/** The fewest and the most packets that prove a limit. */
interface Range {
  readonly least: number
  readonly most: number
}

function packetsFor(size: Bytes, limit: Bytes, mtu: Bytes, of: Family): Range {
  const least = expectedPackets(size, limit, mtu, of)
  return { least, most: least === 1 && size > HALF_WINDOW_FROM ? 2 : least }
}

function aboutPackets({ least, most }: Range): string {
  return least === most ? `about ${least}` : `about ${least} to ${most}`
}

function observeRate(label: string, seen: number[], expected: Range | null): Observation {
  const middle = seen.length === 0 ? null : median(seen)
  if (expected === null || middle === null) {
    const about = expected === null ? 'unknown' : aboutPackets(expected)
    return { label, expected: about, seen: middle?.toFixed(2) ?? 'unknown', ok: false }
  }
  const { least, most } = expected
  const tolerance = (packets: number): number => Math.max(PACKET_TOLERANCE, packets * RELATIVE_TOLERANCE)
  return {
    label,
    expected: aboutPackets(expected),
    seen: middle.toFixed(2),
    ok: middle >= least - tolerance(least) && middle <= most + tolerance(most),
  }
}

/**
 * Did requests and responses take the packets that a send limit calls for?
 *
 * @param taken runs of one benchmark
 * @param limit null where it is unknown: then nothing is proven
 * @param state tells the pods' MTU
 */
export function observePackets(
  taken: readonly RequestResponseMeasurement[],
  limit: Bytes | null,
  state: DatapathState,
): Observation[] {
  const mtu = state.kernel.find((device) => device.role === 'pod')?.mtu
  const first = taken[0]
  const expect = (size: Bytes | undefined): Range | null =>
    limit === null || mtu === undefined || size === undefined || first === undefined
      ? null
      : packetsFor(size, limit, mtu, first.family)
  const packets = taken.flatMap((one) => (one.packets === null ? [] : [one.packets]))
  return [
    observeRate(
      'data packets a request',
      packets.map((one) => one.perRequest),
      expect(first?.requestBytes),
    ),
    observeRate(
      'data packets a response',
      packets.map((one) => one.perResponse),
      expect(first?.responseBytes),
    ),
  ]
}

/**
 * Did a stream go in packets that a send limit lets through? How full they arrive is up to the receiver's device too, so
 * only more than the limit contradicts it; that the limit was set is read from the devices.
 *
 * @param taken runs of one benchmark
 * @param limit null where it is unknown: then nothing is proven
 */
export function observeStream(taken: readonly StreamMeasurement[], limit: Bytes | null): Observation {
  const carried = taken.flatMap(({ bytesPerPacket }) => bytesPerPacket ?? [])
  const middle = carried.length === 0 ? null : median(carried)
  return {
    label: 'payload a packet',
    expected: limit === null ? 'unknown' : `at most ${formatCount(limit)} bytes`,
    seen: middle === null ? 'unknown' : `${formatCount(Math.round(middle))} bytes`,
    ok: limit !== null && middle !== null && middle <= limit,
  }
}
