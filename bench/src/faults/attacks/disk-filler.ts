/** A participant who fills the disk, and is removed when it is full. */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import type { ErrorCode } from '@expresslane/shared/base/errors'
import { openApp, type BenchApp } from '../../support/app.ts'
import type { Figure } from '../figure.ts'
import { attackRow } from './attack-figure.ts'
import { beginSession, PLAYED, recordedSession } from './recorded-session.ts'
import { askAs, refusalOf, type Guest, type Room } from './room.ts'
import { openSmallDisk, type SmallDisk } from './small-disk.ts'
import { get, post, type Message } from './task.ts'

const NAME = 'disk-filler'
const DISK_MB = 128
/** The quota of a guest, in MB. The playback before the attack takes half of a quota. */
const GUEST_MB = 2
/** More would store less: the server would be busy with refusals. */
const EVERY_MS = 100
const AT_ONCE = 2
/** The status of an answer that could not be stored. */
const FULL = 507
const PATIENCE_MS = 15_000
const AGAIN_MS = 100

/** Recorded steps that store most in a second: some 300 kB together. */
const recorded = [
  { id: 'nodeport-rate', step: 'measure' },
  { id: 'nodeport-services', step: 'measure' },
  { id: 'nat64', step: 'measure' },
]

/** Runs of these steps. */
async function writesOf(app: BenchApp, guest: Guest): Promise<Message[]> {
  const writes: Message[] = []
  for (const { id, step } of recorded) {
    const session = await beginSession(app, guest, id, `recording:${id}`)
    writes.push(post(`/api/sessions/${session}/steps/${step}/run`, PLAYED))
  }
  return writes
}

/** Asks for a run until it is refused for good. @returns the refusal's code; null if none comes */
async function quotaOf({ app, attacker }: Room, write: Message): Promise<ErrorCode | null> {
  const until = performance.now() + PATIENCE_MS
  while (performance.now() < until) {
    const answer = await askAs(app, attacker.key, write)
    if (answer.status >= 500) return null
    const code = answer.status < 300 ? null : refusalOf(answer)
    // A full line and too many requests at once are over soon.
    if (code !== null && code !== 'queue_full' && answer.status !== 429) return code
    await delay(AGAIN_MS)
  }
  return null
}

/** Ends the server and starts it again on the full disk. @returns whether it knows the key of the person who was removed */
async function knowsAgain({ app, attacker }: Room, open: () => Promise<BenchApp>): Promise<boolean> {
  const exited = once(app.server, 'exit')
  app.server.kill('SIGTERM')
  await exited
  const again = await open()
  try {
    return (await askAs(again, attacker.key, get('/api/me'))).status !== 401
  } finally {
    await again.close()
  }
}

async function prepare(room: Room, disk: SmallDisk, open: () => Promise<BenchApp>) {
  const { app, attacker } = room
  const writes = await writesOf(app, attacker)
  // As a room does: the server has played a recording then.
  await recordedSession(app, attacker)
  const [first] = writes
  if (first === undefined) throw new Error('nothing is recorded')
  let quota: ErrorCode | null = null
  return {
    messages: writes,
    connections: AT_ONCE,
    each: 1,
    everyMs: EVERY_MS,
    async beforeRemoval() {
      quota = await quotaOf(room, first)
      await disk.fill()
    },
    async after() {
      const knows = await knowsAgain(room, open)
      return {
        faults: [
          ...(quota === null ? ['no quota was reached'] : []),
          ...(knows ? ['after a restart the key is valid again'] : []),
        ],
        notes: [`refused with \`${quota ?? 'nothing'}\``, `${FULL} where the full disk is the reason`],
      }
    },
    allowed: [FULL],
  }
}

export const diskFiller: Figure = {
  name: NAME,
  async run({ short }) {
    const disk = await openSmallDisk(DISK_MB)
    // With a token of its own, because the server's usual token is on its disk.
    const own = { EXPRESSLANE_DATA: disk.folder, EXPRESSLANE_TOKEN: randomUUID() }
    const env = { EXPRESSLANE_WORKSHOP: '1', EXPRESSLANE_GUEST_MB: `${GUEST_MB}`, ...own }
    const open = (): Promise<BenchApp> => openApp(env, null, disk.within)
    try {
      const app = await open()
      try {
        const plan = {
          name: NAME,
          what: 'A participant stores as much as the server takes; then the disk is full, and they are removed',
          role: 'participant',
          requests: { short: 60, long: 1500 },
          prepare: (room: Room) => prepare(room, disk, open),
        } as const
        return await attackRow(app, plan, short)
      } finally {
        await app.close()
      }
    } finally {
      await disk.close()
    }
  },
}
