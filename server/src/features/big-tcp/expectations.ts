/** Compares the path's devices and layers with the expected BIG TCP settings. */
import { isOn, limitOf, mtuOf } from '@expresslane/shared/features/big-tcp/settings'
import { sizeFor } from '@expresslane/shared/features/big-tcp/proof'
import type { Settings } from '@expresslane/shared/base/settings'
import { familyName, formatCount, type Bytes, type Family } from '@expresslane/shared/base/units'
import type { Observation } from '@expresslane/shared/base/observation'
import {
  groLimit,
  gsoLimit,
  LEGACY_MAX_SIZE,
  type DatapathState,
  type Reading,
} from '@expresslane/shared/testbed/reading'
import type { Expected } from '../feature.ts'

function show(size: Bytes | null): string {
  return size === null ? 'unknown' : formatCount(size)
}

/** Before Linux 6.3 a device has no sizes for IPv4, whose packets stay within 64 KiB. Preflight refuses an `ip` that hides sizes. */
function cannotBeBig(device: Reading, of: Family): boolean {
  return of === 'ipv4' && device.tsoMaxSize !== null && device.gsoIpv4MaxSize === null && device.groIpv4MaxSize === null
}

function observeDevice(device: Reading, of: Family, want: Bytes | null): Observation {
  const [gso, gro] = cannotBeBig(device, of)
    ? [LEGACY_MAX_SIZE, LEGACY_MAX_SIZE]
    : [gsoLimit(device, of), groLimit(device, of)]
  return {
    label: `${device.where} ${device.device}`,
    expected: `GSO ${show(want)}, GRO ${show(want)}`,
    seen: `GSO ${show(gso)}, GRO ${show(gro)}`,
    ok: want !== null && gso === want && gro === want,
  }
}

/**
 * A wire that splits packets at 64 KiB makes BIG TCP slower than no BIG TCP, so its limit must be at least the path's.
 */
function observeWire(device: Reading, of: Family, want: Bytes | null): Observation {
  const gso = gsoLimit(device, of)
  return {
    label: `${device.where} ${device.device}`,
    expected: `GSO at least ${show(want)}`,
    seen: `GSO ${show(gso)}`,
    ok: want !== null && gso !== null && gso >= want,
  }
}

/** An observation per device, in path order, each compared with the size for its node. */
function observeDevices(state: DatapathState, of: Family, { nodes, pods }: Expected): Observation[] {
  return state.kernel.flatMap((device) => {
    if (device.role === 'wire') {
      if (nodes === undefined || !isOn(nodes, of)) return []
      return [observeWire(device, of, sizeFor(nodes, of, state))]
    }
    const settings = device.native ? nodes : pods
    return settings === undefined ? [] : [observeDevice(device, of, sizeFor(settings, of, state, device.node))]
  })
}

/** Checks the intent and each agent's report for one family. */
function observeIntent(state: DatapathState, of: Family, intent: Settings): Observation[] {
  const want = isOn(intent, of)
  const word = (on: boolean | undefined): string => (on === undefined ? 'unknown' : on ? 'on' : 'off')
  const agents = (state.agents ?? []).map(({ node, settings, unreadable, overriddenBy }) => {
    const does = settings === null ? undefined : isOn(settings, of)
    const seen = unreadable ?? word(does)
    return {
      label: `agent on ${node}`,
      expected: word(want),
      seen: overriddenBy === null ? seen : `${seen} (overridden by ${overriddenBy} on this node)`,
      ok: does === want,
    }
  })
  const intended = isOn(state.settings, of)
  return [{ label: 'intended', expected: word(want), seen: word(intended), ok: intended === want }, ...agents]
}

/** Checks the requested limit and MTU; empty if they are as expected. */
function observeSizes(state: DatapathState, intent: Settings): Observation[] {
  const size = (label: string, asked: Bytes | null, want: Bytes | null, own: string): Observation[] => {
    if (asked === want) return []
    const words = (of: Bytes | null, none: string): string => (of === null ? none : `${formatCount(of)} bytes`)
    return [{ label, expected: words(want, own), seen: words(asked, 'none'), ok: false }]
  }
  return [
    ...size('requested limit', limitOf(state.settings), limitOf(intent), 'none (BIG TCP computes it)'),
    ...size('requested MTU of the pods', mtuOf(state.settings), mtuOf(intent), "none (the testbed's default)"),
  ]
}

/** With several families, labels name the family. A value that could not be read is not ok. */
export function observe(state: DatapathState, expected: Expected): Observation[] {
  const { families, intent, nodes, pods } = expected
  const found = families.flatMap((family) => {
    const seen = [
      ...(intent === undefined ? [] : observeIntent(state, family, intent)),
      ...observeDevices(state, family, expected),
    ]
    return families.length === 1 ? seen : seen.map((one) => ({ ...one, label: `${familyName[family]}, ${one.label}` }))
  })
  const sizes = intent === undefined ? [] : observeSizes(state, intent)
  const looked = nodes !== undefined || pods !== undefined
  const unread = state.unread.map(({ where, reason }) => ({
    label: where,
    expected: 'readable',
    seen: `unknown: ${reason}`,
    ok: false,
  }))
  return [...found, ...sizes, ...(looked ? unread : [])]
}
