/** What the devices of the path should report, and what they do: the observations of a step's check. */
import type { Observation } from '@expresslane/shared/events'
import {
  bigTcpSize,
  groLimit,
  gsoLimit,
  LEGACY_MAX_SIZE,
  type DatapathState,
  type Reading,
} from '@expresslane/shared/reading'
import { formatCount, type Bytes, type Family } from '@expresslane/shared/units'

type Side = 'off' | 'on'

/** The size that a side calls for on this path; null where the devices do not tell their maximum. */
export function sizeFor(side: Side, state: DatapathState): Bytes | null {
  return side === 'off' ? LEGACY_MAX_SIZE : bigTcpSize(state.kernel)
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
 * One observation a device, in the path's order.
 *
 * @param sides what the nodes' native devices and what the pods' ends should carry; a side
 * left out is not looked at
 */
export function observePath(
  state: DatapathState,
  of: Family,
  sides: { readonly nodes?: Side; readonly pods?: Side },
): Observation[] {
  return state.kernel.flatMap((device) => {
    if (device.role === 'wire') {
      return sides.nodes === 'on' ? [observeWire(device, of, sizeFor('on', state))] : []
    }
    const side = device.native ? sides.nodes : sides.pods
    return side === undefined ? [] : [observeDevice(device, of, sizeFor(side, state))]
  })
}

/** The intent and each agent's word for a family, as observations. */
export function observeIntent(state: DatapathState, of: Family, side: Side): Observation[] {
  const want = side === 'on'
  const word = (on: boolean | undefined): string => (on === undefined ? 'unknown' : on ? 'on' : 'off')
  const agents = (state.agents ?? []).map((agent) => ({
    label: `agent on ${agent.node}`,
    expected: side,
    seen: agent.unreadable ?? word(agent.setting?.[of]),
    ok: agent.setting?.[of] === want,
  }))
  const intended = state.intended[of]
  return [{ label: 'intended', expected: side, seen: word(intended), ok: intended === want }, ...agents]
}
