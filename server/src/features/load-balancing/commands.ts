/** The `ip` and `nft` commands of balancers and backends. Pure. */
import { tableOf, type BucketTable } from '@expresslane/shared/features/load-balancing/balancers'
import { backends, balancers, client, DEVICE, SERVICE } from '@expresslane/shared/features/load-balancing/places'
import type { Balancing } from '@expresslane/shared/features/load-balancing/settings'

export const TABLE_NAME = 'load-balancing'
export const MAP_NAME = 'backends'

/**
 * The buckets of one transaction. An ordinary user's socket sends at most 208 KiB in one message (net.core.wmem_default).
 * No packet passes while a table is replaced, so it need not be replaced at once.
 */
const BUCKETS_PER_TRANSACTION = 500

const addressOf = (name: string): string => balancers.find((one) => one.name === name)?.address ?? ''

/** At the client: the service is behind this balancer. */
export const serviceRoute = (via: string): string => `route replace ${SERVICE} via ${addressOf(via)}`
/** At a backend: the client is behind this balancer, although both are on one switch. */
export const clientRoute = (via: string): string => `route replace ${client.address} via ${addressOf(via)}`

/** Redirects are off: a router would send the hosts past the balancer, because all are on one wire. */
export const redirectFiles = ['all', DEVICE].map((where) => `/proc/sys/net/ipv4/conf/${where}/send_redirects`)

/** At a balancer whose program finds each host's MAC address in the kernel, and asks nobody for it. */
export const knownNeighbours = [client, ...backends]
  .map(({ address, mac }) => `neigh replace ${address} lladdr ${mac} dev ${DEVICE} nud permanent\n`)
  .join('')

/** At a balancer: packets with a backend's mark go to this backend, with the service's address. */
export const markRoutes = backends
  .flatMap(({ address }, index) => [
    `rule add fwmark ${index + 1} lookup ${index + 1}`,
    `route add default via ${address} dev ${DEVICE} table ${index + 1}`,
  ])
  .map((line) => `${line}\n`)
  .join('')

/** At a backend that replies directly. */
export const directBackend = `addr add ${SERVICE}/32 dev lo\nroute del ${client.address}\n`

/** The arm's table; for random backends each backend once. */
export function bucketsOf({ balancer, backends: count, buckets }: Balancing): BucketTable {
  return balancer === 'random'
    ? Array.from({ length: count }, (_, index) => index + 1)
    : tableOf(balancer, count, buckets)
}

const toService = `ip daddr ${SERVICE} meta l4proto tcp`
/** Any fixed number: both balancers have the same. */
const SEED = '0x1234'

function chainsOf({ balancer, replies }: Balancing, buckets: number): string[] {
  const hash = `jhash ip saddr . tcp sport mod ${buckets} seed ${SEED} map @${MAP_NAME}`
  if (balancer === 'random') {
    const drawn = `dnat to numgen random mod ${buckets} map @${MAP_NAME}`
    return [`chain requests { type nat hook prerouting priority dstnat; ${toService} ${drawn}; }`]
  }
  if (replies === 'direct')
    return [`chain requests { type filter hook prerouting priority mangle; ${toService} meta mark set ${hash}; }`]
  const range = `${backends[0]?.address ?? ''}-${backends.at(-1)?.address ?? ''}`
  return [
    `chain requests { type filter hook prerouting priority raw; ${toService} ip daddr set ${hash}; }`,
    `chain replies { type filter hook postrouting priority srcnat; ip saddr ${range} ip daddr ${client.address} meta l4proto tcp ip saddr set ${SERVICE}; }`,
  ]
}

/** The value of a backend in the map: its address, or its number as a mark where a packet keeps the service's address. */
function valueOf(backend: number, { replies }: Balancing): string {
  return replies === 'direct' ? `${backend}` : (backends[backend - 1]?.address ?? '')
}

/** Replaces the table: texts for `nft` in their order, each a transaction. */
export function rulesOf(of: Balancing): string[] {
  const buckets = bucketsOf(of)
  const elements = buckets.map((backend, bucket) => `${bucket} : ${valueOf(backend, of)}`)
  const parts = Array.from({ length: Math.ceil(elements.length / BUCKETS_PER_TRANSACTION) }, (_, part) =>
    elements.slice(BUCKETS_PER_TRANSACTION * part, BUCKETS_PER_TRANSACTION * (part + 1)),
  )
  const table = `table ip ${TABLE_NAME}`
  const value = of.replies === 'direct' ? 'meta mark' : 'ip daddr'
  const chains = chainsOf(of, buckets.length).map((chain) => `  ${chain}\n`)
  return [
    `${table}\ndelete ${table}\n${table} {\n  map ${MAP_NAME} { typeof numgen inc mod 2 : ${value}; }\n}\n`,
    ...parts.map((part) => `add element ip ${TABLE_NAME} ${MAP_NAME} {\n${part.join(',\n')}\n}\n`),
    `${table} {\n${chains.join('')}}\n`,
  ]
}
