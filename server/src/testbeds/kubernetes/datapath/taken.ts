/** Checks whether an agent and its node's kernel have the requested settings. */
import { BIG_TCP_CAP } from '@expresslane/shared/features/big-tcp/size'
import { groLimit, gsoLimit, LEGACY_MAX_SIZE, type Link } from '@expresslane/shared/testbed/reading'
import {
  accelerationIn,
  LB_ACCELERATION,
  LB_MODE,
  lbModeIn,
  type Acceleration,
  type LbMode,
} from '@expresslane/shared/features/nodeport-cluster/settings'
import { ciliumXdp } from '@expresslane/shared/features/nodeport-cluster/xdp'
import { isOn, switchOf } from '@expresslane/shared/features/big-tcp/settings'
import type { Settings } from '@expresslane/shared/measure/settings'
import type { Bytes, Family } from '@expresslane/shared/measure/units'
import {
  choices,
  type ChoiceSetting,
  type ChoiceValue,
  type FamilySetting,
  type Knob,
  type NodeSetting,
} from './settings.ts'

/** What is to be switched. */
export type Change = Partial<NodeSetting>

/** Without those that are unknown. */
function chosen({ acceleration, mode }: ChoiceSetting): Change {
  return { ...(acceleration === null ? {} : { acceleration }), ...(mode === null ? {} : { mode }) }
}

/** What settings name. */
export function changeOf(settings: Settings): Change {
  const named = (['ipv4', 'ipv6'] as const).filter((of) => switchOf[of] in settings)
  return {
    ...Object.fromEntries(named.map((of) => [of, isOn(settings, of)] as const)),
    ...chosen({ acceleration: accelerationIn(settings), mode: lbModeIn(settings) }),
  }
}

/** As settings. */
export function familySettings(of: FamilySetting): Settings {
  return { [switchOf.ipv4]: of.ipv4, [switchOf.ipv6]: of.ipv6 }
}

/** All settings of the nodes; an unknown one is missing. */
export function nodeSettings({ acceleration, mode, ...of }: FamilySetting & ChoiceSetting): Settings {
  return {
    ...familySettings(of),
    ...(acceleration === null ? {} : { [LB_ACCELERATION]: acceleration }),
    ...(mode === null ? {} : { [LB_MODE]: mode }),
  }
}

const names: Readonly<Record<Family, string>> = { ipv4: 'IPv4', ipv6: 'IPv6' }

/** As kernel and `ip` call them. */
const attributes = {
  ipv4: { gso: 'gso_ipv4_max_size', gro: 'gro_ipv4_max_size' },
  ipv6: { gso: 'gso_max_size', gro: 'gro_max_size' },
} as const

/** The families that a change names, each with the wanted setting. */
function familyWishes(change: Change): [Family, boolean][] {
  return (['ipv4', 'ipv6'] as const).flatMap((family) => {
    const wanted = change[family]
    return wanted === undefined ? [] : [[family, wanted] as [Family, boolean]]
  })
}

/** All that a change names, each with the wanted setting. */
export function wishes(change: Change): [Knob, boolean | ChoiceValue][] {
  const named = choices.flatMap((knob) => {
    const wanted = change[knob]
    return wanted === undefined ? [] : [[knob, wanted] as [Knob, ChoiceValue]]
  })
  return [...familyWishes(change), ...named]
}

/** `IPv4 on, IPv6 off, XDP acceleration native, replies by DSR` */
export function describeChange(change: Change): string {
  const { acceleration, mode } = change
  return [
    ...familyWishes(change).map(([family, on]) => `${names[family]} ${on ? 'on' : 'off'}`),
    ...(acceleration === undefined ? [] : [`XDP acceleration ${acceleration}`]),
    ...(mode === undefined ? [] : [`replies by ${mode.toUpperCase()}`]),
  ].join(', ')
}

/** What an agent reports. */
export interface AgentWord {
  /** Null if its version does not report it. */
  readonly setting: Readonly<Record<Family, boolean | null>>
  readonly maxGso: Readonly<Record<Family, Bytes | null>>
  /** In Cilium's words: `Native`, `Disabled`. */
  readonly acceleration?: string | null
  /** In Cilium's words: `SNAT`, `DSR`. */
  readonly mode?: string | null
}

/** The acceleration that an agent reports; null if it reports none, or another one. */
function agentAccelerates({ acceleration: word }: AgentWord): Acceleration | null {
  return accelerationIn({ [LB_ACCELERATION]: word?.toLowerCase() ?? null })
}

/** The mode that an agent reports; null if it reports none, or another one. */
function agentReturns({ mode: word }: AgentWord): LbMode | null {
  return lbModeIn({ [LB_MODE]: word?.toLowerCase() ?? null })
}

/** What an agent reports of its load balancer. */
export function agentBalances(word: AgentWord): ChoiceSetting {
  return { acceleration: agentAccelerates(word), mode: agentReturns(word) }
}

/**
 * Whether the agent does BIG TCP over this family. An agent that could not set a device continues at 64 KiB, and some
 * versions still report `enabled` then: the size decides. Null if it does not report it.
 */
export function agentDoes({ setting, maxGso }: AgentWord, family: Family): boolean | null {
  const size = maxGso[family]
  return setting[family] === true && size !== null && size <= LEGACY_MAX_SIZE ? false : setting[family]
}

/** What an agent reports differently than wanted; no report is not a contradiction. */
export function agentDiffers(word: AgentWord, change: Change): Knob[] {
  return wishes(change).flatMap(([knob, wanted]) => {
    const does = knob === 'ipv4' || knob === 'ipv6' ? agentDoes(word, knob) : agentBalances(word)[knob]
    return does === null || does === wanted ? [] : [knob]
  })
}

/** What an agent reports of these. */
export function agentSays(word: AgentWord, of: readonly Knob[]): Change {
  const { acceleration, mode } = agentBalances(word)
  const families = (['ipv4', 'ipv6'] as const).flatMap((family) => {
    const does = of.includes(family) ? agentDoes(word, family) : null
    return does === null ? [] : [[family, does] as const]
  })
  return {
    ...Object.fromEntries(families),
    ...chosen({
      acceleration: of.includes('acceleration') ? acceleration : null,
      mode: of.includes('mode') ? mode : null,
    }),
  }
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
  const accelerated = devices.flatMap((device) => accelerationDiffers(node, device, change))
  const sizes = devices.flatMap((device) =>
    familyWishes(change).flatMap(([family, wanted]) => {
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
  return [...sizes, ...accelerated]
}

/** Where a device differs from the wanted acceleration. An XDP program that is not Cilium's counts for nothing. */
function accelerationDiffers(node: string, link: Link, { acceleration }: Change): string[] {
  if (acceleration === undefined) return []
  const seen = ciliumXdp(link)
  const expected = acceleration === 'native' ? 'native' : 'none'
  return seen === expected ? [] : [`${node}/${link.device} XDP program of Cilium: expected ${expected}, seen ${seen}`]
}

/** Whether the agent or the kernel reports enough to check the change on a node. */
export function canBeChecked(word: AgentWord, devices: readonly Link[], change: Change): boolean {
  return familyWishes(change).every(
    ([family]) => agentDoes(word, family) !== null || devices.some((device) => gsoLimit(device, family) !== null),
  )
}
