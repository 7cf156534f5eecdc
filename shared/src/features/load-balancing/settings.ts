/** How the balancer chooses, the size of its table, its backends, and the way of replies. All belong to the next pods. */
import { i18n } from '../../base/language.ts'
import { z } from 'zod'
import type { Clock } from '../../measure/clock.ts'
import type { Settings } from '../../base/settings.ts'
import { formatCount } from '../../base/units.ts'
import type { ArmName, Setting } from '../feature.ts'
import { balancer, balancerName, type Balancer } from './balancers.ts'
import { MOST_BACKENDS, USUAL_BACKENDS } from './roles.ts'

export const BALANCING = 'balancing'
export const BALANCED_BY = 'balanced-by'
export const BUCKETS = 'balancing-buckets'
export const BACKENDS = 'balancing-backends'
export const REPLIES = 'balancing-replies'

const USUAL_BALANCER: Balancer = 'random'
const USUAL_BUCKETS = 1_021

/** Primes: with any other size an order of Maglev does not have all buckets. */
export const bucketCounts = [251, USUAL_BUCKETS, 4_093] as const
const buckets = z.union(bucketCounts.map((count) => z.literal(count)))
const backendCount = z.number().int().min(1).max(MOST_BACKENDS)
/** `direct` is direct server return: a backend replies past the balancer. */
export const replies = z.enum(['balancer', 'direct'])
export type Replies = z.infer<typeof replies>
/** nftables without a memory, but for random backends, or a BPF program that remembers its flows. */
export const balancedBy = z.enum(['nftables', 'tc', 'xdp'])
export type BalancedBy = z.infer<typeof balancedBy>

/** All that new pods need to know. */
export interface Balancing {
  readonly balancer: Balancer
  readonly by: BalancedBy
  /** Buckets of the table; `random` has none. */
  readonly buckets: number
  readonly backends: number
  readonly replies: Replies
}

/** The usual value of a setting that is missing. */
export function balancingIn(settings: Settings): Balancing {
  return {
    balancer: balancer.catch(USUAL_BALANCER).parse(settings[BALANCING]),
    by: balancedBy.catch('nftables').parse(settings[BALANCED_BY]),
    buckets: buckets.catch(USUAL_BUCKETS).parse(settings[BUCKETS]),
    backends: backendCount.catch(USUAL_BACKENDS).parse(settings[BACKENDS]),
    replies: replies.catch('balancer').parse(settings[REPLIES]),
  }
}

/** The settings of a balancing: {@link balancingIn} backwards. */
export function settingsOf(of: Balancing): Settings {
  return {
    [BALANCING]: of.balancer,
    [BALANCED_BY]: of.by,
    [BUCKETS]: of.buckets,
    [BACKENDS]: of.backends,
    [REPLIES]: of.replies,
  }
}

/** Two namespaces more than other paths, and a program in each backend; the largest table takes longest. */
export function extraSeconds(of: Settings, clock: Clock): number {
  return clock === null ? 0.3 : 4 + balancingIn(of).buckets / 1_000
}

const needed = 'load-balancing'

const byName: Readonly<Record<BalancedBy, string>> = { nftables: 'nftables', tc: 'TC', xdp: 'XDP' }

/** `Maglev`, `Maglev, XDP`; conntrack is part of nftables alone. */
export function nameOf({ balancer: of, by }: Pick<Balancing, 'balancer' | 'by'>): string {
  if (by === 'nftables') return i18n.t(balancerName[of])
  return `${of === 'random' ? i18n.t('Random') : i18n.t(balancerName[of])}, ${byName[by]}`
}

export const settings = [
  {
    id: BALANCING,
    label: /*i18n*/ 'Balancing',
    schema: balancer,
    off: USUAL_BALANCER,
    capability: null,
    capabilityOf: () => needed,
    format: (value) => i18n.t(balancerName[balancer.catch(USUAL_BALANCER).parse(value)]),
    control: { kind: 'choice', options: balancer.options.map((one) => [one, balancerName[one]] as const) },
    explained: [
      [
        /*i18n*/ 'Hash modulo',
        /*i18n*/ 'the hash of a connection, modulo the number of backends: another number, another backend.',
      ],
      [
        /*i18n*/ 'Random',
        /*i18n*/ 'a random backend for each new connection. conntrack remembers the choice, on this balancer alone.',
      ],
      [
        'Maglev',
        /*i18n*/ 'a table in which each backend has the same share, and most buckets keep their backend after a change.',
      ],
      [
        /*i18n*/ 'Rendezvous',
        /*i18n*/ 'each bucket belongs to the backend with the highest hash: only buckets that must move do.',
      ],
    ],
  },
  {
    id: BALANCED_BY,
    label: /*i18n*/ 'Balanced by',
    schema: balancedBy,
    off: 'nftables',
    capability: null,
    capabilityOf: (value) => (value === 'nftables' ? null : 'load-balancing-bpf'),
    format: (value) => byName[balancedBy.catch('nftables').parse(value)],
    control: { kind: 'choice', options: balancedBy.options.map((one) => [one, byName[one]] as const) },
    explained: [
      ['nftables', /*i18n*/ 'rules that an ordinary user can load. Only random backends are remembered.'],
      ['TC, XDP', /*i18n*/ 'a BPF program with the same table. It also remembers its flows, as Cilium does.'],
    ],
  },
  {
    id: BUCKETS,
    label: /*i18n*/ 'Buckets',
    schema: buckets,
    off: USUAL_BUCKETS,
    capability: null,
    format: (value) => formatCount(buckets.catch(USUAL_BUCKETS).parse(value)),
    control: { kind: 'choice', options: bucketCounts.map((one) => [one, formatCount(one)] as const) },
  },
  {
    id: BACKENDS,
    label: /*i18n*/ 'Backends',
    schema: backendCount,
    off: USUAL_BACKENDS,
    capability: null,
    format: (value) => formatCount(backendCount.catch(USUAL_BACKENDS).parse(value)),
    control: {
      kind: 'choice',
      options: Array.from({ length: MOST_BACKENDS }, (_, index) => [index + 1, `${index + 1}`] as const),
    },
  },
  {
    id: REPLIES,
    label: /*i18n*/ 'Replies',
    schema: replies,
    off: 'balancer',
    capability: null,
    capabilityOf: (value) => (value === 'direct' ? needed : null),
    format: (value) => (value === 'direct' ? i18n.t('direct') : i18n.t('through the balancer')),
    control: {
      kind: 'choice',
      options: [
        ['balancer', /*i18n*/ 'Through the balancer'],
        ['direct', /*i18n*/ 'Direct (DSR)'],
      ],
    },
  },
] as const satisfies readonly Setting[]

/** `maglev`, `Maglev`; `maglev-xdp`, `Maglev, XDP`; `maglev-251`, `Maglev, 251 buckets`; `maglev-direct`, `Maglev, direct replies`. */
export function nameArm(of: Settings): ArmName {
  const is = balancingIn(of)
  const parts = [
    { id: is.by === 'nftables' ? '' : `-${is.by}`, label: nameOf(is), named: true },
    {
      id: `-${is.buckets}`,
      label: i18n.t('{buckets} buckets', { buckets: formatCount(is.buckets) }),
      named: is.buckets !== USUAL_BUCKETS,
    },
    {
      id: `-of-${is.backends}`,
      label: i18n.t('{backends} backends', { backends: is.backends }),
      named: is.backends !== USUAL_BACKENDS,
    },
    { id: '-direct', label: i18n.t('direct replies'), named: is.replies === 'direct' },
  ].filter(({ named }) => named)
  return { id: is.balancer + parts.map(({ id }) => id).join(''), label: parts.map(({ label }) => label).join(', ') }
}

const phrases: Readonly<Record<Balancer, string>> = {
  modulo: /*i18n*/ 'with a hash modulo the backends',
  random: /*i18n*/ 'with random backends',
  maglev: /*i18n*/ 'with Maglev',
  rendezvous: /*i18n*/ 'with rendezvous hashing',
}

/** `with Maglev`, `with Maglev by XDP and direct replies`. */
export function phrase(of: Settings): string {
  const is = balancingIn(of)
  const chosen = i18n.t(phrases[is.balancer])
  const remembered = is.balancer === 'random' ? i18n.t('{chosen} and conntrack', { chosen }) : chosen
  const how = is.by === 'nftables' ? remembered : i18n.t('{chosen} by {by}', { chosen, by: byName[is.by] })
  return is.replies === 'direct' ? i18n.t('{how} and direct replies', { how }) : how
}
