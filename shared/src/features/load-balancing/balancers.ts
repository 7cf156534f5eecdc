/** Ways to choose the backend of a connection, and the tables of the ways that have one. Pure. */
import { z } from 'zod'

/** `random` draws a backend for each connection and remembers it. The others look the connection's hash up in a table. */
export const balancer = z.enum(['modulo', 'random', 'maglev', 'rendezvous'])
export type Balancer = z.infer<typeof balancer>
export type TableBalancer = Exclude<Balancer, 'random'>
export const tableBalancers = balancer.exclude(['random']).options

export const balancerName: Readonly<Record<Balancer, string>> = {
  modulo: /*i18n*/ 'Hash modulo',
  random: /*i18n*/ 'Random, conntrack',
  maglev: 'Maglev',
  rendezvous: /*i18n*/ 'Rendezvous',
}

/** The backend of each bucket, numbered from 1. */
export type BucketTable = readonly number[]

/** 32 bits of FNV-1a, mixed by the last step of MurmurHash3. */
function hash(text: string): number {
  let bits = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) bits = Math.imul(bits ^ text.charCodeAt(at), 0x01000193)
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return (bits ^ (bits >>> 16)) >>> 0
}

const numbered = (backends: number): number[] => Array.from({ length: backends }, (_, index) => index + 1)

/**
 * Each backend goes through all buckets in an order of its own, and the backends take turns to get their next free bucket
 * (Eisenbud et al., Maglev, NSDI 2016, section 3.4). Each gets the same share, to one bucket.
 *
 * @param buckets a prime, so that each order has all of them
 */
function maglev(backends: number, buckets: number): number[] {
  const table = Array.from({ length: buckets }, () => 0)
  const orders = numbered(backends).map((backend) => ({
    backend,
    place: hash(`offset ${backend}`) % buckets,
    skip: (hash(`skip ${backend}`) % (buckets - 1)) + 1,
  }))
  for (let filled = 0; filled < buckets; filled += 1) {
    const order = orders[filled % backends]
    if (order === undefined) break
    while (table[order.place] !== 0) order.place = (order.place + order.skip) % buckets
    table[order.place] = order.backend
  }
  return table
}

/** Each bucket belongs to the backend with the highest hash for it (Thaler and Ravishankar, 1998). */
function rendezvous(backends: number, bucket: number): number {
  const scored = numbered(backends).map((backend) => ({ backend, score: hash(`${backend} ${bucket}`) }))
  return scored.reduce((best, one) => (one.score > best.score ? one : best)).backend
}

/** @param backends at least 1 @param buckets a prime */
export function tableOf(of: TableBalancer, backends: number, buckets: number): BucketTable {
  if (of === 'maglev') return maglev(backends, buckets)
  return Array.from({ length: buckets }, (_, bucket) =>
    of === 'modulo' ? (bucket % backends) + 1 : rendezvous(backends, bucket),
  )
}

/** What a change of the backends does to a bucket. */
export type Move = 'stays' | 'needed' | 'needless'

/**
 * What becomes of each bucket between two tables of the same size. A move is needed if its backend has left, or if a new
 * backend gets the bucket.
 */
export function movesBetween(before: BucketTable, after: BucketTable): Move[] {
  const [known, left] = [new Set(before), new Set(after)]
  return before.map((from, bucket) => {
    const to = after[bucket] ?? from
    if (to === from) return 'stays'
    return left.has(from) && known.has(to) ? 'needless' : 'needed'
  })
}
