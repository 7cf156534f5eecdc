/** A figure about somebody who attacks a workshop's server while the rest of the room goes on. */
import { setTimeout as delay } from 'node:timers/promises'
import type { GuestRole } from '@expresslane/shared/wire/room'
import { openApp, type BenchApp } from '../../support/app.ts'
import type { Row } from '../../support/table.ts'
import type { Figure } from '../figure.ts'
import { HEALTH_EVERY_MS, watchHealth } from '../imports/health.ts'
import { sizeNow, type Size } from '../soak/size.ts'
import { attack, type Length } from './attacking.ts'
import { judge, type Seen } from './judge.ts'
import { askAsInstructor, openRoom, type Room } from './room.ts'
import { get, type Progress, type Task } from './task.ts'

const SIZE_MS = 50
/** Descriptors count when they stay for so many looks: the server opens one for each process of the machine when it ends a command. */
const HELD_LOOKS = 5
/** Before the first look at the size, so that the server has finished the work of its start. */
const REST_MS = 500
/** The instructor's run begins when the attack is under way. */
const UNDER_WAY_MS = 1000
/** A short attack is long enough for the instructor's run beside it. */
const short = { leastMs: 3000, mostMs: 6000 }
const long = { leastMs: 20_000, mostMs: 180_000 }
export interface AttackPlan {
  readonly name: string
  /** The attack, for the table. */
  readonly what: string
  /** The attacker's role; null for a stranger, who has no login. */
  readonly role: GuestRole | null
  /** How many requests the short and the long form send. */
  readonly requests: { readonly short: number; readonly long: number }
  /** Gets ready before anything is measured. */
  prepare(room: Room): Promise<Prepared>
}

export interface Prepared extends Omit<Task, 'origin' | 'key'> {
  /** Just before the attacker is removed. */
  beforeRemoval?(): Promise<void>
  /** Looks at the server when all is measured. */
  after?(): Promise<Looked>
  /** Statuses of 500 and more that are a proper answer here. */
  readonly allowed?: readonly number[]
}

interface Looked {
  /** The faults that were found, in sentences. */
  readonly faults: readonly string[]
  /** For the table. */
  readonly notes: readonly string[]
}

/** The most of each while it watches. */
function watchSize(pid: number): { most(): Size; [Symbol.dispose](): void } {
  let most: Size = { rss: 0, descriptors: 0 }
  let latest: number[] = []
  const look = async (): Promise<void> => {
    // A process that has ended has no size.
    const now = await sizeNow(pid).catch(() => null)
    if (now === null) return
    latest = [...latest, now.descriptors].slice(-HELD_LOOKS)
    const held = latest.length < HELD_LOOKS ? 0 : Math.min(...latest)
    most = { rss: Math.max(most.rss, now.rss), descriptors: Math.max(most.descriptors, held) }
  }
  const timer = setInterval(() => void look(), SIZE_MS)
  return { most: () => most, [Symbol.dispose]: () => clearInterval(timer) }
}

/** As the server counts its answers, unread answers included. */
async function serverErrors(app: BenchApp, allowed: readonly number[]): Promise<number> {
  const { text } = await askAsInstructor(app, get('/metrics'))
  const lines = text.matchAll(/^expresslane_http_answers_total\{code="(5\d\d)"\} (\d+)$/gm)
  return [...lines].reduce((sum, [, code, times]) => sum + (allowed.includes(Number(code)) ? 0 : Number(times)), 0)
}

function answersOf({ sent, answers }: Progress): string {
  const parts = Object.entries(answers).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const list = parts.map(([answer, times]) => `${answer}: ${times.toLocaleString('en')}`).join(', ')
  return `${sent.toLocaleString('en')} requests sent (${list})`
}

/** Attacks, and watches the effects on the rest of the room until the attacker is removed. */
async function seenBeside(room: Room, plan: AttackPlan, length: Length): Promise<Seen & { readonly how: string }> {
  const { app } = room
  const pid = app.server.pid ?? Number.NaN
  const { beforeRemoval, after, allowed = [], ...task } = await plan.prepare(room)
  await delay(REST_MS)
  const health = await watchHealth(app)
  const before = await sizeNow(pid)
  using size = watchSize(pid)
  try {
    health.take()
    const attacking = attack({ origin: app.origin, key: plan.role === null ? null : room.attacker.key, ...task })
    await attacking.lasted({ requests: 0, leastMs: UNDER_WAY_MS, mostMs: UNDER_WAY_MS })
    const starting = room.instructorStarts()
    await attacking.lasted(length)
    const startMs = await starting
    await beforeRemoval?.()
    const removalMs = await room.removeAttacker()
    const progress = await attacking.stop()
    await health.answered()
    const waits = health.take()
    const most = size.most()
    const crashed = app.server.exitCode !== null || app.server.signalCode !== null
    const errors = await serverErrors(app, allowed)
    const quiet = await room.keepsQuiet()
    const looked = (await after?.()) ?? { faults: [], notes: [] }
    const faults = [...(quiet ? [] : ['a participant who did nothing lost their page']), ...looked.faults]
    const how = [answersOf(progress), ...looked.notes].join('; ')
    return { waits, before, most, startMs, removalMs, serverErrors: errors, crashed, faults, how }
  } finally {
    await health.stop()
  }
}

/** @param app of a workshop; it may have ended afterwards */
export async function attackRow(app: BenchApp, plan: AttackPlan, isShort: boolean): Promise<Row> {
  const room = await openRoom(app, plan.role)
  try {
    const requests = isShort ? plan.requests.short : plan.requests.long
    const { how, ...seen } = await seenBeside(room, plan, { requests, ...(isShort ? short : long) })
    return { what: plan.what, how, ...judge(seen, HEALTH_EVERY_MS) }
  } finally {
    room.close()
  }
}

export function attackFigure(plan: AttackPlan): Figure {
  return {
    name: plan.name,
    async run(context) {
      const app = await openApp({ EXPRESSLANE_WORKSHOP: '1' })
      try {
        return await attackRow(app, plan, context.short)
      } finally {
        await app.close()
      }
    },
  }
}
