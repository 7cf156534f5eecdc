/** Limit and MTU of a testbed that can set them, and of one that can't. */
import type { Observation } from '@expresslane/shared/run/events'
import type { DatapathState } from '@expresslane/shared/testbed/reading'
import { formatCount, type Bytes } from '@expresslane/shared/measure/units'
import type { DatapathChange, Testbed } from '../testbeds/testbed.ts'

/** Both null: the size that BIG TCP computes, and the testbed's own MTU. */
export const ownSizes = { limit: null, mtu: null } as const

/** These as a change, without what the testbed can't set. */
export function settable(
  { capabilities }: Testbed,
  { limit, mtu }: { readonly limit: Bytes | null; readonly mtu: Bytes | null },
): Pick<DatapathChange, 'limit' | 'mtu'> {
  return {
    ...(capabilities.has('size-limit') ? { limit } : {}),
    ...(capabilities.has('pod-mtu') ? { mtu } : {}),
  }
}

/** What an experiment has left set and a lab of two arms does not expect; empty where there is nothing such. */
export function observeOwnSizes({ limit, mtu }: DatapathState): Observation[] {
  const observe = (label: string, set: Bytes | null, expected: string): Observation[] =>
    set === null ? [] : [{ label, expected, seen: `${formatCount(set)} bytes`, ok: false }]
  return [
    ...observe('limit that was asked for', limit, 'none: BIG TCP computes it'),
    ...observe("pods' MTU that was asked for", mtu, "none: the testbed's own"),
  ]
}
