/**
 * Participants who ask for testbeds, in a process of their own: `node many-people.ts ORIGIN CODE`. Prints a line once all
 * are in the room; after a line on standard input each asks for testbeds, and the last line is the report.
 */
import { createInterface } from 'node:readline'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { p99Of } from '../support/delays.ts'
import { join, type Participant } from '../workshop/participant.ts'
import { LABS, PEOPLE, WITHIN_MS, type PeopleReport } from './many-plan.ts'

const [origin = '', code = ''] = process.argv.slice(2)

/** @returns the words of the check that failed, without the pod's name */
async function ask(one: Participant, lab: string, after: number): Promise<string> {
  await delay(after)
  const session = await one.session(lab, 'counted')
  const error = await one.run(session, 'preflight', {}).then(
    () => null,
    (reason: unknown) => String(reason),
  )
  if (error === null) return 'it passed'
  const runs = new Set(
    one.events.flatMap(({ event, runId }) =>
      event.type === 'run.started' && event.sessionId === session ? [runId] : [],
    ),
  )
  const failed = one.events.flatMap(({ event, runId }) =>
    runs.has(runId) && event.type === 'preflight.checked' && event.check.status === 'failed' ? [event.check] : [],
  )
  return failed[0]?.seen.replace(/pod \S+/, 'a pod') ?? error
}

const people: Participant[] = []
for (let number = 1; number <= PEOPLE; number += 1) people.push(await join({ origin }, code, `Person ${number}`))
console.log('joined')
await once(createInterface({ input: process.stdin }), 'line')
const before = people.map((one) => one.delays.length)
const asked = LABS.flatMap((lab) => people.map((one) => ({ lab, one })))
const ends = await Promise.all(asked.map(({ lab, one }, at) => ask(one, lab, (at / asked.length) * WITHIN_MS)))
const delays = people.flatMap((one, at) => one.delays.slice(before[at]))
const report: PeopleReport = {
  ends: Object.fromEntries([...Map.groupBy(ends, (end) => end)].map(([end, { length }]) => [end, length])),
  events: delays.length,
  p99: p99Of(delays),
}
console.log(JSON.stringify(report))
for (const one of people) one.close()
