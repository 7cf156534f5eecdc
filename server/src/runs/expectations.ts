/** What the devices of the path should report, and what they do: the observations of a step's check. */
import type { Observation } from '@expresslane/shared/events'
import {
  groLimit,
  gsoLimit,
  LEGACY_MAX_SIZE,
  switchedSize,
  type DatapathState,
  type Reading,
} from '@expresslane/shared/reading'
import { expectedPackets, median, type RequestResponseMeasurement } from '@expresslane/shared/measurement'
import { formatCount, type Bytes, type Family } from '@expresslane/shared/units'

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

function observeRate(label: string, seen: number[], expected: number | null): Observation {
  const middle = seen.length === 0 ? null : median(seen)
  return {
    label,
    expected: expected === null ? 'unknown' : `about ${expected}`,
    seen: middle === null ? 'unknown' : middle.toFixed(2),
    ok: middle !== null && expected !== null && Math.abs(middle - expected) <= PACKET_TOLERANCE,
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
  const expect = (size: Bytes | undefined): number | null =>
    limit === null || mtu === undefined || size === undefined || first === undefined
      ? null
      : expectedPackets(size, limit, mtu, first.family)
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
