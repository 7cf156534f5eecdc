/** A participant who fills the disk, and is removed when it is full. */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { labsResponse } from '@expresslane/shared/wire/protocol'
import { recordingsResponse } from '@expresslane/shared/recordings/recording'
import { openApp, type BenchApp } from '../../support/app.ts'
import type { Figure } from '../figure.ts'
import { attackRow } from './attack-figure.ts'
import { beginSession, PLAYED, runToEnd } from './recorded-session.ts'
import { askAs, refusalOf, type Guest, type Room } from './room.ts'
import { openSmallDisk, type SmallDisk } from './small-disk.ts'
import { get, post, type Message } from './task.ts'

const NAME = 'disk-filler'
const DISK_MB = 128
const MB = 1024 * 1024
const AT_ONCE = 4
const FULL = 507

/** Runs of the steps that measure, on recordings: they store most, and wait for nobody. */
async function writesOf(app: BenchApp, guest: Guest): Promise<Message[]> {
  const { labs } = labsResponse.parse(await app.ask('GET', '/api/labs'))
  const { recordings } = recordingsResponse.parse(await app.ask('GET', '/api/recordings'))
  const runs: Message[] = []
  for (const { id, lab } of recordings) {
    const session = await beginSession(app, guest, lab, `recording:${id}`)
    const steps = labs.find((one) => one.id === lab)?.steps ?? []
    for (const { id: step, action } of steps) {
      if (action?.kind === 'measure') runs.push(post(`/api/sessions/${session}/steps/${step}/run`, PLAYED))
    }
  }
  return runs
}

/** Asks once for each of the writes. @returns the codes with which they are refused */
async function refusals({ app, attacker }: Room, writes: readonly Message[]): Promise<string[]> {
  const codes = new Set<string>()
  for (const one of writes) {
    const answer = await askAs(app, attacker.key, one)
    codes.add(answer.status < 300 ? 'accepted' : refusalOf(answer))
  }
  return [...codes]
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
  // As the room does with a lab: the server has read the recordings then.
  await Promise.all(writes.map((one) => runToEnd(app, attacker, one)))
  const before = await disk.used()
  let written = 0
  let codes: string[] = []
  return {
    messages: writes,
    connections: AT_ONCE,
    each: 1,
    everyMs: 0,
    async beforeRemoval() {
      written = ((await disk.used()) - before) / MB
      codes = await refusals(room, writes.slice(0, 2))
      await disk.fill()
    },
    async after() {
      const knows = await knowsAgain(room, open)
      const note = `${written.toFixed(1)} MB written`
      return {
        faults: [
          ...(codes.includes('accepted') ? [`${note} and nothing refused`] : []),
          ...(knows ? ['after a restart the key is valid again'] : []),
        ],
        notes: [note, `then refused with ${codes.join(', ')}`, 'removed on a full disk, and refused after a restart'],
      }
    },
    allowed: [FULL],
  }
}

export const diskFiller: Figure = {
  name: NAME,
  async run({ short }) {
    const disk = await openSmallDisk(DISK_MB)
    // With a token of its own, because the one that the server keeps is on its disk.
    const env = { EXPRESSLANE_WORKSHOP: '1', EXPRESSLANE_DATA: disk.folder, EXPRESSLANE_TOKEN: randomUUID() }
    const open = (): Promise<BenchApp> => openApp(env, null, disk.within)
    try {
      const app = await open()
      try {
        const plan = {
          name: NAME,
          what: 'A participant stores as much as the server takes; then the disk is full, and they are removed',
          role: 'participant',
          requests: { short: 400, long: 4000 },
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
