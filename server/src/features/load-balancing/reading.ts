/** Reads the balancer's table back from the kernel, and the connections of a place. */
import { z } from 'zod'
import { tableBalancers, tableOf, type BucketTable } from '@expresslane/shared/features/load-balancing/balancers'
import { backends, PORT, SERVICE } from '@expresslane/shared/features/load-balancing/places'
import { BALANCER } from '@expresslane/shared/features/load-balancing/roles'
import type { BalancedBy, Balancing } from '@expresslane/shared/features/load-balancing/settings'
import { maxOf } from '@expresslane/shared/measure/extremes'
import { LabError } from '@expresslane/shared/base/errors'
import type { Role } from '@expresslane/shared/testbed/placement'
import { readOutput, unreadable } from '../../tools/read-output.ts'
import { balanceCountersArgv, parseBalanceCounters } from '../../tools/nodeport/balance.ts'
import type { Pods } from '../feature.ts'
import { ifAny } from '../look.ts'
import { MAP_NAME, TABLE_NAME } from './commands.ts'

type Looked = Pick<Pods, 'look'>

export interface TableRead {
  readonly by: BalancedBy
  /** Each connection gets a random bucket. With nftables conntrack remembers it. */
  readonly isRandom: boolean
  readonly replies: Balancing['replies']
  readonly buckets: BucketTable
}

const tableArgv = ['nft', '-j', 'list', 'table', 'ip', TABLE_NAME]
const described = {
  name: 'The balancer’s table',
  remedy: 'Check that `nft -j list tables` prints JSON on this machine.',
}

const listed = z.object({
  nftables: z.array(
    z.object({
      chain: z.object({ type: z.string().optional() }).optional(),
      map: z
        .object({
          name: z.string(),
          elem: z.array(z.tuple([z.number(), z.union([z.string(), z.number()])])).default([]),
        })
        .optional(),
    }),
  ),
})

/** @throws LabError `tool_output_unreadable` */
export function parseTable(text: string): TableRead {
  const { nftables } = readOutput(listed, text, described)
  const map = nftables.find((one) => one.map?.name === MAP_NAME)?.map
  if (map === undefined || map.elem.length === 0) throw unreadable(described, text)
  const buckets = Array.from({ length: map.elem.length }, () => 0)
  for (const [bucket, value] of map.elem) {
    const place = backends.findIndex(({ address }) => address === value)
    buckets[bucket] = place === -1 ? Number(value) || 0 : place + 1
  }
  return {
    by: 'nftables',
    isRandom: nftables.some(({ chain }) => chain?.type === 'nat'),
    replies: map.elem.some(([, value]) => value === SERVICE || backends.some(({ address }) => address === value))
      ? 'balancer'
      : 'direct',
    buckets,
  }
}

/** @throws LabError of `nft`; `tool_output_unreadable`; `signal.reason` */
export async function readTable({ look }: Looked, role: Role = BALANCER): Promise<TableRead> {
  const program = await ifAny(look(`net:${role}`, balanceCountersArgv))
  if (program === null) return parseTable(await look(role, tableArgv))
  const { hook, choice, replies, table } = parseBalanceCounters(program.trim())
  return { by: hook === 'xdp' ? 'xdp' : 'tc', isRandom: choice === 'random', replies, buckets: table }
}

/** How many buckets are not as wanted. */
export function wrongBuckets({ buckets }: TableRead, wanted: BucketTable): number {
  const size = Math.max(buckets.length, wanted.length)
  return Array.from({ length: size }).filter((_, bucket) => buckets[bucket] !== wanted[bucket]).length
}

/**
 * The balancing that a table belongs to.
 *
 * @param likely decides where several fit: with one backend all tables are alike
 * @throws LabError `datapath_not_taken` if none does
 */
export function balancingOf(read: TableRead, likely: Balancing | undefined): Balancing {
  const { by, isRandom, replies, buckets } = read
  const count = maxOf(buckets)
  if (isRandom)
    return { balancer: 'random', by, buckets: likely?.buckets ?? buckets.length, backends: buckets.length, replies }
  const names =
    likely === undefined || likely.balancer === 'random' ? tableBalancers : [likely.balancer, ...tableBalancers]
  const found = names.find((name) => wrongBuckets(read, tableOf(name, count, buckets.length)) === 0)
  if (found !== undefined) return { balancer: found, by, buckets: buckets.length, backends: count, replies }
  throw new LabError(
    'datapath_not_taken',
    'The balancer’s table belongs to none of the ways to balance.',
    'Deploy again: every deploy makes a new balancer.',
  )
}

const ESTABLISHED = '01'
/** The echo server takes IPv4 connections with an IPv6 socket. */
export const connectionsArgv = ['cat', '/proc/net/tcp', '/proc/net/tcp6']

/** The ports of established connections in these files: the far ends', or the own ends'. */
export function parseConnections(text: string, end: 'local' | 'remote'): number[] {
  return text.split('\n').flatMap((line) => {
    const [, local = '', remote = '', state] = line.trim().split(/\s+/)
    const [own, far] = [local, remote].map((one) => Number.parseInt(one.split(':')[1] ?? '', 16))
    if (state !== ESTABLISHED || own === undefined || far === undefined) return []
    if (end === 'remote') return own === PORT ? [far] : []
    return far === PORT ? [own] : []
  })
}
