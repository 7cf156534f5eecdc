/** Participants whose testbeds are pods do the IPv4 lab at once: does everybody finish, with the same figures as one machine? */
import { labsResponse } from '@expresslane/shared/wire/protocol'
import { median, valuesOf } from '@expresslane/shared/measure/measurement'
import type { LoggedEvent } from '@expresslane/shared/run/events'
import { openApp, type BenchApp } from '../support/app.ts'
import type { Bench, Row } from '../support/table.ts'
import { peakMemory } from '../workshop/memory.ts'
import { join, openDoor, type Participant } from '../workshop/participant.ts'
import { cpuMs, onHub } from './hub.ts'

const PEOPLE = 12
const LAB = 'big-tcp-ipv4'
/** How far the medians of two testbeds may differ: the floor of a verdict (docs/statistics.md). */
const FLOOR = 0.005
/** Requests to the API server for one testbed, at most. */
const MOST_CALLS = 15
const MOST_MB = 400
/** The steps of the lab that do something. */
async function stepsOf(app: BenchApp): Promise<readonly string[]> {
  const { labs } = labsResponse.parse(await app.ask('GET', '/api/labs'))
  return labs.find(({ id }) => id === LAB)?.steps.flatMap(({ id, action }) => (action === null ? [] : [id])) ?? []
}

/** The median of each arm's transactions in a second of the machine's clock. */
function figuresOf(events: readonly LoggedEvent[]): ReadonlyMap<string, number> {
  const byArm = Map.groupBy(
    events.flatMap(({ event }) => (event.type === 'measurement.taken' ? [event.measurement] : [])),
    ({ arm }) => arm,
  )
  return new Map([...byArm].map(([arm, taken]) => [arm, median(valuesOf(taken, 'countedTps'))]))
}

async function walk(one: Participant, steps: readonly string[]): Promise<void> {
  const session = await one.session(LAB, 'counted')
  for (const step of steps) await one.run(session, step, {})
}

/** The figures of one participant on a counted machine of this host. */
async function alone(): Promise<ReadonlyMap<string, number>> {
  const app = await openApp({ EXPRESSLANE_WORKSHOP: '1' })
  try {
    const one = await join(app, await openDoor(app), 'Alone')
    await walk(one, await stepsOf(app))
    one.close()
    return figuresOf(one.events)
  } finally {
    await app.close()
  }
}

/** How far the figures of an arm are apart, as a share of the smallest, over all arms. */
function furthest(figures: readonly ReadonlyMap<string, number>[]): number {
  const arms = [...new Set(figures.flatMap((one) => [...one.keys()]))]
  const apart = arms.map((arm) => {
    const values = figures.map((one) => one.get(arm) ?? Number.NaN)
    return Math.max(...values) / Math.min(...values) - 1
  })
  return Math.max(...apart)
}

async function room(app: BenchApp, requests: readonly string[], single: ReadonlyMap<string, number>): Promise<Row[]> {
  const pid = app.server.pid ?? Number.NaN
  const steps = await stepsOf(app)
  const code = await openDoor(app)
  const people: Participant[] = []
  for (let number = 1; number <= PEOPLE; number += 1) people.push(await join(app, code, `Person ${number}`))
  const [cpu, calls, began] = [await cpuMs(pid), requests.length, performance.now()]
  const results = await Promise.allSettled(people.map((one) => walk(one, steps)))
  const minutes = (performance.now() - began) / 60_000
  const each = { cpu: ((await cpuMs(pid)) - cpu) / PEOPLE, calls: (requests.length - calls) / PEOPLE }
  const peak = await peakMemory(pid)
  for (const one of people) one.close()
  const failed = results.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []))
  for (const one of failed) console.error(one)
  const apart = furthest([single, ...people.map(({ events }) => figuresOf(events))])
  return [
    {
      what: `${PEOPLE} participants with pods of their own do the IPv4 lab at once`,
      bound: `all finish; medians of an arm within ${FLOOR * 100} % of each other and of a machine on this host`,
      measured: `${PEOPLE - failed.length} finished in ${minutes.toFixed(1)} min; ${(apart * 100).toFixed(2)} %`,
      how: `counted machines; the lab’s own repeats; by HTTP and WebSocket; transactions a second on this host: ${[...single].map(([arm, value]) => `${arm} ${value.toFixed(0)}`).join(', ')}`,
      holds: failed.length === 0 && apart <= FLOOR,
    },
    {
      what: 'The server’s costs of a pod’s testbed, for the whole lab',
      bound: `<= ${MOST_CALLS} requests to the API server, <= ${MOST_MB} MB in the server`,
      measured: `${each.calls.toFixed(1)} requests, ${peak.toFixed(0)} MB, ${each.cpu.toFixed(0)} ms of CPU time`,
      how: `requests counted by a proxy in front of the API server; ${PEOPLE} testbeds`,
      holds: each.calls <= MOST_CALLS && peak <= MOST_MB,
    },
  ]
}

/** Starts servers of its own. */
export const classroom: Bench = async () => {
  const single = await alone()
  return onHub((app, requests) => room(app, requests, single))
}
