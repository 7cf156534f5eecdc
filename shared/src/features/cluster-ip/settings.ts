/** Where a cluster IP becomes a backend's address, and how many services are known there. Both belong to the next pods. */
import { i18n } from '../../base/language.ts'
import { z } from 'zod'
import type { Clock } from '../../measure/clock.ts'
import type { Settings } from '../../base/settings.ts'
import { formatCount } from '../../base/units.ts'
import type { Capability } from '../../testbed/testbed.ts'
import type { ArmName, Setting } from '../feature.ts'

export const TRANSLATION = 'service-translation'
export const SERVICES = 'service-count'

/** `none`: the backend has the service's address itself. `socket` is at the client, the others at its node. */
export const translation = z.enum(['none', 'socket', 'tc', 'nftables', 'iptables'])
export type Translation = z.infer<typeof translation>
export type Translator = Exclude<Translation, 'none'>
export const translators = translation.exclude(['none']).options

export const translationName: Readonly<Record<Translation, string>> = {
  none: /*i18n*/ 'No translation',
  socket: /*i18n*/ 'Socket',
  tc: 'TC',
  nftables: 'nftables',
  iptables: 'iptables',
}

const capabilityOf: Readonly<Record<Translation, Capability>> = {
  none: 'cluster-ip',
  socket: 'cluster-ip-socket',
  tc: 'cluster-ip-tc',
  nftables: 'cluster-ip',
  iptables: 'cluster-ip-iptables',
}

const counts = [1, 100, 1_000] as const
const services = z.union(counts.map((one) => z.literal(one)))

export function translationIn(settings: Settings): Translation {
  return translation.catch('none').parse(settings[TRANSLATION])
}

/** 1 if it is not set. */
export function servicesIn(settings: Settings): number {
  return services.catch(1).parse(settings[SERVICES])
}

export const settings = [
  {
    id: TRANSLATION,
    label: /*i18n*/ 'Translation',
    schema: translation,
    off: 'none',
    capability: null,
    capabilityOf: (value) => capabilityOf[translation.catch('none').parse(value)],
    format: (value) => i18n.t(translationName[translation.catch('none').parse(value)]),
    control: { kind: 'choice', options: translation.options.map((one) => [one, translationName[one]] as const) },
    explained: [
      [/*i18n*/ 'Socket', /*i18n*/ 'connect() gets the backend’s address, so that packets have it from the start.'],
      ['TC', /*i18n*/ 'a BPF program on the node replaces the address in each packet, there and back.'],
      [
        'nftables, iptables',
        /*i18n*/ 'conntrack replaces the address in each packet; rules find the backend of a new connection.',
      ],
      [/*i18n*/ 'No translation', /*i18n*/ 'the backend itself has the service’s address: the floor for all others.'],
    ],
  },
  {
    id: SERVICES,
    label: /*i18n*/ 'Services',
    schema: services,
    off: 1,
    capability: null,
    format: (value) => formatCount(services.catch(1).parse(value)),
    control: { kind: 'choice', options: counts.map((one) => [one, formatCount(one)] as const) },
  },
] as const satisfies readonly Setting[]

/** `socket`, `Socket`; `iptables-1000`, `iptables, 1,000 services`. */
export function nameArm(of: Settings): ArmName {
  const [by, count] = [translationIn(of), servicesIn(of)]
  const name = i18n.t(translationName[by])
  if (count === 1) return { id: by, label: name }
  return {
    id: `${by}-${count}`,
    label: i18n.t('{name}, {count, plural, one {# service} other {# services}}', { name, count }),
  }
}

/** `at the socket`, `with iptables and 1,000 services`. */
export function phrase(of: Settings): string {
  const [by, count] = [translationIn(of), servicesIn(of)]
  const how =
    by === 'none'
      ? i18n.t('without a translation')
      : by === 'socket'
        ? i18n.t('at the socket')
        : i18n.t('with {name}', { name: translationName[by] })
  return count === 1 ? how : i18n.t('{how} and {count, plural, one {# service} other {# services}}', { how, count })
}

/** Seconds for a thousand services of both families in netfilter, and on the counted machine for the rules or programs. */
const LOAD = { time: 0.7, counted: 7 } as const

export function extraSeconds(of: Settings, clock: Clock): number {
  const by = translationIn(of)
  const isNetfilter = by === 'nftables' || by === 'iptables'
  const load = isNetfilter ? LOAD[clock === null ? 'time' : 'counted'] * (servicesIn(of) / 1_000) ** 2 : 0
  return load + (clock === null ? 0 : 2)
}
