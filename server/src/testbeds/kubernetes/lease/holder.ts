/** Who holds the lease: a name that shows people where to look, and this machine whether that process still lives. */
import { createHash, randomBytes } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { lives } from '../../machine/process.ts'
import type { LeaseHolder } from './lease-store.ts'

/** HOST_PID_PLACE_RANDOM; the place identifies a process table, because a pid is valid in one table only. */
const IDENTITY = /^(?<host>.+)_(?<pid>\d+)_(?<place>[\da-f]{12})_[\da-f]{8}$/

function hex(length: number): string {
  return randomBytes(length / 2).toString('hex')
}

/** The same for all processes that share this boot's process table; a new one each time if that is unknown. */
function placeMark(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')
    const table = readlinkSync('/proc/self/ns/pid')
    return createHash('sha256').update(`${boot}${table}`).digest('hex').slice(0, 12)
  } catch {
    return hex(12)
  }
}

const place = placeMark()

/** A new identity of this process: each process that may hold the lease has its own. */
export function newIdentity(pid: number = process.pid): string {
  return `${hostname()}_${pid}_${place}_${hex(8)}`
}

/**
 * Is the process that took the lease provably gone? Only a process of this very process table can be looked
 * for; for any other, and for a reused pid, the answer is false.
 */
export function provablyGone(identity: string): boolean {
  const found = IDENTITY.exec(identity)?.groups
  return found !== undefined && found['place'] === place && !lives(Number(found['pid']))
}

/** For people: `laptop (process 4711)`; other identities are returned unchanged. */
export function describeIdentity(identity: string): string {
  const found = IDENTITY.exec(identity)?.groups
  return found === undefined ? identity : `${found['host'] ?? ''} (process ${found['pid'] ?? ''})`
}

/** Whole seconds until it expires without a renewal, at least 0; null if the lease does not contain it. */
export function secondsLeft({ renewedAt, seconds }: LeaseHolder, now: number): number | null {
  return renewedAt === null ? null : Math.max(0, Math.ceil((renewedAt + seconds * 1000 - now) / 1000))
}

/** `laptop (process 4711), since 10:31:02 UTC; its lease expires in 12 s unless it is renewed` */
export function describeHolder(holder: LeaseHolder, now: number): string {
  const since = holder.since === null ? '' : `, since ${new Date(holder.since).toISOString().slice(11, 19)} UTC`
  const left = secondsLeft(holder, now)
  const end = left === null ? '' : `; its lease expires in ${left} s unless it is renewed`
  return `${describeIdentity(holder.identity)}${since}${end}`
}
