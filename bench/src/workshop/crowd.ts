/**
 * Followers on real WebSockets, in a process of their own: `node crowd.ts ORIGIN LINK`. Reads one JSON command a line
 * from standard input, and answers each with one line.
 *
 * - `{"connect": N, "slow": M}`: N followers open LINK and the stream; M of them stop reading.
 * - `{"report": true}`: the events that the reading followers have received since they connected.
 * - `{"close": true}`: all leave.
 */
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { WebSocket } from 'ws'
import { z } from 'zod'
import type { CrowdReport } from './crowd-report.ts'
import { p99Of } from '../support/delays.ts'
import { frameOf } from '../support/frames.ts'

const [origin = '', link = ''] = process.argv.slice(2)

const command = z.union([
  z.strictObject({ connect: z.number().int(), slow: z.number().int() }),
  z.strictObject({ report: z.literal(true) }),
  z.strictObject({ close: z.literal(true) }),
])

interface Follower {
  readonly socket: WebSocket
  /** How often each event arrived, by `seq`. */
  readonly seen: Map<number, number>
  readonly slow: boolean
}

let followers: Follower[] = []
let delays: number[] = []
let closed = 0

/** Follows the link as a browser does, and takes the cookie. */
async function cookieOf(): Promise<string> {
  const answer = await fetch(new URL(link, origin), { redirect: 'manual' })
  const cookies = answer.headers.getSetCookie().map((one) => one.split(';')[0])
  if (answer.status !== 303) throw new Error(`${answer.status} ${await answer.text()}`)
  return cookies.join('; ')
}

async function follow(slow: boolean): Promise<Follower> {
  const cookie = await cookieOf()
  const socket = new WebSocket(new URL('/api/stream', origin.replace(/^http/, 'ws')), { headers: { cookie, origin } })
  const one = { socket, seen: new Map<number, number>(), slow }
  socket.on('message', (data) => {
    const now = Date.now()
    const frame = frameOf(data)
    for (const { seq, at } of frame.type === 'events' ? frame.events : []) {
      one.seen.set(seq, (one.seen.get(seq) ?? 0) + 1)
      if (!slow) delays.push(now - at)
    }
  })
  socket.on('close', () => {
    closed += 1
  })
  socket.on('error', () => socket.terminate())
  await once(socket, 'open')
  if (slow) socket.pause()
  return one
}

function report(): CrowdReport {
  const readers = followers.filter(({ slow }) => !slow)
  const all = new Set(readers.flatMap(({ seen }) => [...seen.keys()]))
  const counts = readers.flatMap(({ seen }) => [...all].map((seq) => seen.get(seq) ?? 0))
  return {
    followers: readers.length,
    events: all.size,
    lost: counts.filter((count) => count === 0).length,
    doubled: counts.filter((count) => count > 1).length,
    p99: p99Of(delays),
    closed,
  }
}

async function leave(): Promise<void> {
  const open = followers.filter(({ socket }) => socket.readyState !== socket.CLOSED)
  const gone = open.map(({ socket }) => once(socket, 'close'))
  for (const { socket } of open) socket.terminate()
  await Promise.all(gone)
  followers = []
}

for await (const line of createInterface({ input: process.stdin })) {
  const asked = command.parse(JSON.parse(line))
  if ('report' in asked) {
    console.log(JSON.stringify(report()))
    continue
  }
  await leave()
  delays = []
  closed = 0
  if ('connect' in asked) {
    for (let made = 0; made < asked.connect; made += 1) followers.push(await follow(made < asked.slow))
  }
  console.log(JSON.stringify(report()))
}
await leave()
