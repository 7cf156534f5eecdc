/** 30 participants do the IPv4 lab at the same time: does everybody finish, one measurement at a time, as announced? */
import { labsResponse } from '@expresslane/shared/wire/protocol'
import { median } from '@expresslane/shared/measure/measurement'
import type { LoggedEvent } from '@expresslane/shared/run/events'
import { openApp, type BenchApp } from '../support/app.ts'
import type { Row } from '../support/table.ts'
import { memoryOf, peakMemory } from './memory.ts'
import { join, openDoor, type Participant } from './participant.ts'
import { overlapsOf, waitsOf, type Wait } from './turns.ts'

const PEOPLE = 30
const LAB = 'big-tcp-ipv4'
const params = { repeats: 2, seconds: 2 }
/** How far a wait may be from its prediction. */
const OFF_BY = 0.2
/** A shorter prediction has more rounding than wait in it. */
const LEAST_SECONDS = 5

interface Way {
  readonly steps: readonly string[]
  readonly measuring: ReadonlySet<string>
}

async function wayThrough(app: BenchApp): Promise<Way> {
  const { labs } = labsResponse.parse(await app.ask('GET', '/api/labs'))
  const steps = labs.find(({ id }) => id === LAB)?.steps.filter(({ action }) => action !== null) ?? []
  const measuring = steps.filter(({ action }) => action?.kind === 'measure').map(({ id }) => id)
  return { steps: steps.map(({ id }) => id), measuring: new Set(measuring) }
}

async function walk(one: Participant, { steps }: Way): Promise<void> {
  const session = await one.session(LAB)
  for (const step of steps) await one.run(session, step, params)
}

function describe(waits: readonly Wait[]): string {
  const off = waits.map(({ expected, waited }) => Math.abs(waited / expected - 1))
  const within = off.filter((one) => one <= OFF_BY).length
  const longest = Math.max(...waits.map(({ waited }) => waited))
  return `${within} of ${waits.length} waits within 20 %, median off by ${(median(off) * 100).toFixed(0)} %, longest ${longest.toFixed(0)} s`
}

/** Starts a server of its own. */
export async function participants(): Promise<Row[]> {
  const app = await openApp({ EXPRESSLANE_WORKSHOP: '1', EXPRESSLANE_PARTICIPANTS: String(PEOPLE) })
  try {
    const pid = app.server.pid ?? Number.NaN
    const way = await wayThrough(app)
    const code = await openDoor(app)
    // The instructor tries the lab before the room does: the server then knows how long its steps take here.
    const tried = await app.session(LAB)
    await app.run(tried, way.steps.at(-1) ?? '', { solve: true, params })
    const people: Participant[] = []
    for (let number = 1; number <= PEOPLE; number += 1) people.push(await join(app, code, `Person ${number}`))
    const began = performance.now()
    const done = people.map((one) => walk(one, way))
    const results = await Promise.allSettled(done)
    const minutes = (performance.now() - began) / 60_000
    const { testbeds, processes } = await memoryOf(pid)
    const peak = await peakMemory(pid)
    for (const one of people) one.close()
    const failed = results.filter((one) => one.status === 'rejected').map(({ reason }) => String(reason))
    for (const one of failed) console.error(one)
    const events = people.flatMap((one): readonly LoggedEvent[] => one.events)
    const overlaps = overlapsOf(events, way.measuring)
    const waits = waitsOf(events).filter(({ expected }) => expected >= LEAST_SECONDS)
    const off = waits.filter(({ expected, waited }) => Math.abs(waited / expected - 1) > OFF_BY)
    const each = `${params.repeats} × ${params.seconds} s an arm`
    return [
      {
        what: `${PEOPLE} participants do the IPv4 lab at once`,
        bound: 'all finish, no two measurements overlap',
        measured: `${PEOPLE - failed.length} finished in ${minutes.toFixed(1)} min, ${overlaps} overlaps`,
        how: `${each}, by HTTP and WebSocket; ${processes} processes of testbeds with ${testbeds.toFixed(0)} MB after Restore; at most ${peak.toFixed(0)} MB in the server`,
        holds: failed.length === 0 && overlaps === 0,
      },
      {
        what: 'Their waits as predicted',
        bound: 'within 20 %',
        measured: describe(waits),
        how: `each wait of ${LEAST_SECONDS} s or more, compared with the wait shown when it began`,
        holds: waits.length > 0 && off.length === 0,
      },
    ]
  } finally {
    await app.close()
  }
}
