/** Checks whether an agent and its node's kernel have the requested values of Cilium's keys. */
import type { Link } from '@expresslane/shared/testbed/reading'
import type { CiliumStatus } from '../../../tools/cilium-status.ts'
import type { CiliumKey, KeyValues } from '../../cilium-key.ts'

/** The values that an agent reports, by key; null for a key that it does not report. */
export type Reported = Readonly<Record<string, string | null>>

/** `IPv4 on, IPv6 off, XDP acceleration native, replies by DSR` */
export function describeChange(change: Reported, keys: readonly CiliumKey[]): string {
  return keys
    .flatMap(({ key, words }) => {
      const value = change[key] ?? null
      return value === null ? [] : words(value)
    })
    .join(', ')
}

export function reportedBy(status: CiliumStatus, keys: readonly CiliumKey[]): Reported {
  return Object.fromEntries(keys.map((one) => [one.key, one.reported(status)]))
}

/** The keys that an agent reports differently than wanted; no report is not a contradiction. */
export function agentDiffers(reported: Reported, change: KeyValues): string[] {
  return Object.keys(change).filter((key) => ![null, undefined, change[key]].includes(reported[key]))
}

/**
 * The differences between the kernel and the wanted values, a line each.
 *
 * @param devices the native devices of one node
 */
export function kernelDiffers(
  node: string,
  devices: readonly Link[],
  change: KeyValues,
  keys: readonly CiliumKey[],
): string[] {
  return keys.flatMap((one) => {
    const value = change[one.key]
    return value === undefined ? [] : one.differs(node, devices, value)
  })
}

/** The first key of a change that neither an agent nor its node's devices show, although one has to; null if there is none. */
export function unshown(
  reported: Reported,
  devices: readonly Link[],
  change: KeyValues,
  keys: readonly CiliumKey[],
): CiliumKey | null {
  const isHidden = ({ key, required }: CiliumKey): boolean =>
    required !== undefined &&
    change[key] !== undefined &&
    (reported[key] ?? null) === null &&
    !required.isShownBy(devices)
  return keys.find(isHidden) ?? null
}
