/** NodePort's settings: the hook that forwards, and how many services the node knows. Both belong to the next pods. */
import { z } from 'zod'
import type { Clock } from '../../measure/clock.ts'
import type { Settings } from '../../base/settings.ts'
import { formatCount } from '../../base/units.ts'
import type { ArmName, Setting } from '../feature.ts'
import { capabilityOfHook, hook, hookName, type Hook } from './hooks.ts'

export const NODEPORT_HOOK = 'nodeport-hook'
export const NODEPORT_SERVICES = 'nodeport-services'

/** More services than most clusters have. kube-proxy's iptables rules then take seconds to load. */
export const MOST_SERVICES = 5_000

const NO_FORWARDING = 'No forwarding'

const services = z.number().int().min(1).max(MOST_SERVICES)

/** The hook that forwards; `none` if it is not set. */
export function hookIn(settings: Settings): Hook {
  return hook.catch('none').parse(settings[NODEPORT_HOOK])
}

/** The number of services that the node knows. */
export function servicesIn(settings: Settings): number {
  return services.catch(1).parse(settings[NODEPORT_SERVICES])
}

/** `1 service`, `5,000 services`. */
function servicesWords(count: number): string {
  return `${formatCount(count)} ${count === 1 ? 'service' : 'services'}`
}

export const settings = [
  {
    id: NODEPORT_HOOK,
    label: 'Forwarding',
    schema: hook,
    off: 'none',
    capability: null,
    capabilityOf: (value) => {
      const { data } = hook.safeParse(value)
      return data === undefined ? null : capabilityOfHook[data]
    },
    format: (value) => hookName[hook.catch('none').parse(value)],
    control: {
      kind: 'choice',
      // Without forwarding it is the floor: the cost of a packet that ends at the node.
      options: hook.options.map((one) => [one, one === 'none' ? NO_FORWARDING : hookName[one]] as const),
    },
  },
  {
    id: NODEPORT_SERVICES,
    label: 'Services',
    schema: services,
    off: 1,
    capability: null,
    // 5,000 of them take three minutes with nftables, and one with iptables.
    takesLong: (value) => services.catch(1).parse(value) > 1_000,
    format: (value) => formatCount(services.catch(1).parse(value)),
    control: {
      kind: 'text',
      prefix: 'services',
      placeholder: '1',
      parse: (text) => {
        const count = Number(text.trim().replaceAll(',', ''))
        return services.safeParse(count).data ?? null
      },
      write: (value) => (typeof value === 'number' ? formatCount(value) : ''),
      wrong: (text) => `“${text}” is not a number of services. Enter 1 to ${formatCount(MOST_SERVICES)}.`,
    },
  },
] as const satisfies readonly Setting[]

/** `xdp-5000`, `XDP, 5,000 services`. */
export function nameArm(of: Settings): ArmName {
  const [by, count] = [hookIn(of), servicesIn(of)]
  const name = by === 'none' ? NO_FORWARDING : hookName[by]
  if (count === 1) return { id: by, label: name }
  return { id: `${by}-${count}`, label: `${name}, ${servicesWords(count)}` }
}

/** `with XDP`, `with iptables and 5,000 services`. */
export function phrase(of: Settings): string {
  const [by, count] = [hookIn(of), servicesIn(of)]
  const how = by === 'none' ? 'without forwarding' : `with ${hookName[by]}`
  return count === 1 ? how : `${how} and ${servicesWords(count)}`
}

/**
 * Seconds to load a thousand services of both families into netfilter: measured on two cores, and on the counted
 * machine. The time grows with the square of their number.
 */
const thousandServicesSeconds = { time: 0.7, counted: 7 } as const

/** On the counted machine: the rules or programs, and three readings of their counters. */
const countedSeconds: Readonly<Record<Hook, number>> = {
  none: 0.5,
  nftables: 0.8,
  xdp: 1.5,
  tc: 1.5,
  iptables: 2,
  ipvs: 3,
}

/** Loading netfilter's rules and reading them back. Maps of programs take no time that shows. */
export function extraSeconds(of: Settings, clock: Clock): number {
  const by = hookIn(of)
  const base = clock === null ? 0 : countedSeconds[by]
  if (by !== 'nftables' && by !== 'iptables') return base
  return base + thousandServicesSeconds[clock === null ? 'time' : 'counted'] * (servicesIn(of) / 1_000) ** 2
}
