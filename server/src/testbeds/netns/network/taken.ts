/** Checks that the kernel applied the sizes and the MTU. */
import { LabError } from '@expresslane/shared/base/errors'
import { deviceKey, type Reading } from '@expresslane/shared/testbed/reading'
import type { Sizes } from '../../../tools/ip-link.ts'

/** The error if the tools do not show the sizes. Sizes that can't be read back must not be set. */
export function sizesUnknown(): LabError {
  return new LabError(
    'tool_too_old',
    "The largest sizes of packets can't be read here, so they can't be set or checked.",
    'Install iproute2 6.3 or newer, and boot a kernel 6.3 or newer.',
    { remedyCommand: 'npm run tools' },
  )
}

function differences(device: Reading, { ipv6, ipv4 }: Sizes, mtu: number | null): string[] {
  const sizes: readonly (readonly [string, number | null, number | null])[] = [
    ['gso_max_size', ipv6, device.gsoMaxSize],
    ['gro_max_size', ipv6, device.groMaxSize],
    ['gso_ipv4_max_size', ipv4, device.gsoIpv4MaxSize],
    ['gro_ipv4_max_size', ipv4, device.groIpv4MaxSize],
  ]
  // The wire's sizes are never changed.
  return [...(device.native ? sizes : []), ['mtu', mtu, device.mtu] as const]
    .filter(([, want, seen]) => want !== null && want !== seen)
    .map(([name, want, seen]) => `${deviceKey(device)} ${name}: expected ${want}, seen ${seen ?? 'nothing'}`)
}

/**
 * @param mtu of nodes and wire; null for any
 *
 * @throws LabError `datapath_not_taken` naming each attribute that differs, of native devices and the wire
 */
export function checkTaken(path: readonly Reading[], sizes: Sizes, mtu: number | null): void {
  const found = path
    .filter(({ native, role }) => native || role === 'wire')
    .flatMap((device) => differences(device, sizes, mtu))
  if (found.length === 0) return
  throw new LabError(
    'datapath_not_taken',
    'The kernel did not apply the sizes that were set.',
    "Try again; if it happens again, check each node's device with `ip -d link`.",
    { detail: found.join('\n') },
  )
}
