/** The keys of Cilium's ConfigMap that switch BIG TCP, and their effect on agents and devices. */
import { BIG_TCP_CAP } from '@expresslane/shared/features/big-tcp/size'
import { familyName, type Family } from '@expresslane/shared/base/units'
import { groLimit, gsoLimit, LEGACY_MAX_SIZE, type Link } from '@expresslane/shared/testbed/reading'
import { LabError } from '@expresslane/shared/base/errors'
import { isTrue, type CiliumKey } from '../../testbeds/cilium-key.ts'
import type { CiliumStatus } from '../../tools/cilium-status.ts'

/** As kernel and `ip` call them. */
const attributes = {
  ipv4: { gso: 'gso_ipv4_max_size', gro: 'gro_ipv4_max_size' },
  ipv6: { gso: 'gso_max_size', gro: 'gro_max_size' },
} as const

/** Complaints about BIG TCP: `... --enable-ipv4-big-tcp, needs kernel ...`, `Could not modify IPv4 gro_max_size ...`. */
const complaints = {
  about: /big[ _-]?tcp|\bg[sr]o(_ipv4)?_max_size|\bG[RS]O\/G[RS]O\b/i,
  sentence: /(BIG TCP (is|could|in|requires)|Cannot enable --|Could not modify IPv[46] )[^"\\]*/,
}

/**
 * An agent that could not set a device continues at 64 KiB, and some versions still report `enabled` then: the size decides.
 */
function reported({ setting, maxGso }: CiliumStatus, family: Family): string | null {
  const [on, size] = [setting[family], maxGso[family]]
  return on === null ? null : `${on && (size === null || size > LEGACY_MAX_SIZE)}`
}

/** The size that BIG TCP sets on these devices of one node; null if a maximum is unknown. */
function sizeOf(devices: readonly Link[]): number | null {
  let size: number = BIG_TCP_CAP
  for (const { tsoMaxSize } of devices) {
    if (tsoMaxSize === null) return null
    // Cilium skips a device that can't send more than 64 KiB at once.
    if (tsoMaxSize > LEGACY_MAX_SIZE) size = Math.min(size, tsoMaxSize)
  }
  return size
}

/** Where the kernel differs from the wanted sizes. Attributes that `ip` does not print are not differences. */
function differs(node: string, devices: readonly Link[], family: Family, on: boolean): string[] {
  const size = sizeOf(devices)
  return devices.flatMap((device) => {
    const seen = [
      [attributes[family].gso, gsoLimit(device, family)],
      [attributes[family].gro, groLimit(device, family)],
    ] as const
    return seen.flatMap(([name, value]) => {
      if (value === null) return []
      const taken = on ? (size === null ? value > LEGACY_MAX_SIZE : value === size) : value <= LEGACY_MAX_SIZE
      const expected = on ? (size ?? `more than ${LEGACY_MAX_SIZE}`) : `at most ${LEGACY_MAX_SIZE}`
      return taken ? [] : [`${node}/${device.device} ${name}: expected ${expected}, seen ${value}`]
    })
  })
}

function keyOf(family: Family): CiliumKey {
  return {
    key: `enable-${family}-big-tcp`,
    values: ['false', 'true'],
    // An invalid value does not turn BIG TCP on either.
    parse: (text) => `${isTrue(text)}`,
    words: (value) => `${familyName[family]} ${value === 'true' ? 'on' : 'off'}`,
    reported: (status) => reported(status, family),
    required: {
      field: `${family}-big-tcp`,
      silence: 'its status does not report BIG TCP for both families',
      isShownBy: (devices) => devices.some((device) => gsoLimit(device, family) !== null),
      error: (node) =>
        new LabError(
          'datapath_not_taken',
          `Neither the agent of ${node} nor its kernel reports whether BIG TCP is on.`,
          'Update Cilium to 1.14 or newer.',
        ),
    },
    differs: (node, devices, value) => differs(node, devices, family, value === 'true'),
    isCompiled: false,
    chart: `enable${familyName[family]}BIGTCP=true`,
    complaints,
  }
}

export const ciliumKeys: readonly CiliumKey[] = [keyOf('ipv4'), keyOf('ipv6')]
