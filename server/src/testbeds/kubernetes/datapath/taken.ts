/** Checks whether an agent and its node's kernel have the requested setting. */
import { BIG_TCP_CAP } from '@expresslane/shared/features/big-tcp/size'
import { groLimit, gsoLimit, LEGACY_MAX_SIZE, type Link } from '@expresslane/shared/testbed/reading'
import { isOn, switchOf } from '@expresslane/shared/features/big-tcp/settings'
import type { Settings } from '@expresslane/shared/measure/settings'
import type { Bytes, Family } from '@expresslane/shared/measure/units'
import type { FamilySetting } from './settings.ts'

/** The families that are to be switched. */
export type Change = Partial<FamilySetting>

/** The families that settings name. */
export function changeOf(settings: Settings): Change {
  const named = (['ipv4', 'ipv6'] as const).filter((of) => switchOf[of] in settings)
  return Object.fromEntries(named.map((of) => [of, isOn(settings, of)] as const))
}

/** As settings. */
export function familySettings(of: FamilySetting): Settings {
  return { [switchOf.ipv4]: of.ipv4, [switchOf.ipv6]: of.ipv6 }
}

const names: Readonly<Record<Family, string>> = { ipv4: 'IPv4', ipv6: 'IPv6' }

/** As kernel and `ip` call them. */
const attributes = {
  ipv4: { gso: 'gso_ipv4_max_size', gro: 'gro_ipv4_max_size' },
  ipv6: { gso: 'gso_max_size', gro: 'gro_max_size' },
} as const

/** The families that a change names, each with the wanted setting. */
export function wishes(change: Change): [Family, boolean][] {
  return (['ipv4', 'ipv6'] as const).flatMap((family) => {
    const wanted = change[family]
    return wanted === undefined ? [] : [[family, wanted] as [Family, boolean]]
  })
}

/** `IPv4 on, IPv6 off` */
export function describeChange(change: Change): string {
  return wishes(change)
    .map(([family, on]) => `${names[family]} ${on ? 'on' : 'off'}`)
    .join(', ')
}

/** What an agent reports. */
export interface AgentWord {
  /** Null if its version does not report it. */
  readonly setting: Readonly<Record<Family, boolean | null>>
  readonly maxGso: Readonly<Record<Family, Bytes | null>>
}

/**
 * Whether the agent does BIG TCP over this family. An agent that could not set a device continues at 64 KiB, and some
 * versions still report `enabled` then: the size decides. Null if it does not report it.
 */
export function agentDoes({ setting, maxGso }: AgentWord, family: Family): boolean | null {
  const size = maxGso[family]
  return setting[family] === true && size !== null && size <= LEGACY_MAX_SIZE ? false : setting[family]
}

/** The families for which an agent reports another setting than the wanted one; no report is not a contradiction. */
export function agentDiffers(word: AgentWord, change: Change): Family[] {
  return wishes(change).flatMap(([family, wanted]) => {
    const does = agentDoes(word, family)
    return does === null || does === wanted ? [] : [family]
  })
}

/** The size that BIG TCP sets on these devices of one node; null if the maximum of one is unknown. */
function sizeOf(devices: readonly Link[]): number | null {
  let size: number = BIG_TCP_CAP
  for (const { tsoMaxSize } of devices) {
    if (tsoMaxSize === null) return null
    // Cilium skips a device that can't send more than 64 KiB at once.
    if (tsoMaxSize > LEGACY_MAX_SIZE) size = Math.min(size, tsoMaxSize)
  }
  return size
}

/**
 * Where the kernel differs from the wanted sizes, one line per attribute. Attributes that `ip` does not print are not
 * differences.
 *
 * @param devices the native devices of one node
 */
export function kernelDiffers(node: string, devices: readonly Link[], change: Change): string[] {
  const size = sizeOf(devices)
  return devices.flatMap((device) =>
    wishes(change).flatMap(([family, wanted]) => {
      const seen = [
        [attributes[family].gso, gsoLimit(device, family)],
        [attributes[family].gro, groLimit(device, family)],
      ] as const
      return seen.flatMap(([name, value]) => {
        if (value === null) return []
        const taken = wanted ? (size === null ? value > LEGACY_MAX_SIZE : value === size) : value <= LEGACY_MAX_SIZE
        const expected = wanted ? (size ?? `more than ${LEGACY_MAX_SIZE}`) : `at most ${LEGACY_MAX_SIZE}`
        return taken ? [] : [`${node}/${device.device} ${name}: expected ${expected}, seen ${value}`]
      })
    }),
  )
}

/** Whether the agent or the kernel reports enough to check the change on a node. */
export function canBeChecked(word: AgentWord, devices: readonly Link[], change: Change): boolean {
  return wishes(change).every(
    ([family]) => agentDoes(word, family) !== null || devices.some((device) => gsoLimit(device, family) !== null),
  )
}
