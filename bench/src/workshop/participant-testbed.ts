import { median } from '@expresslane/shared/measure/measurement'
import { spread, type Bench } from '../support/table.ts'
import { memoryOf } from './memory.ts'
import { join, openDoor } from './participant.ts'

const TESTBEDS = 10
const LAB = 'big-tcp-ipv4'
const LIMIT_SECONDS = 3
const LIMIT_MB = 20

/** The cost of a participant's testbed in a room's server: the time from nothing to pods with netserver, and the memory. */
export const participantTestbed: Bench = async (app) => {
  const pid = app.server.pid ?? Number.NaN
  const code = await openDoor(app)
  const people = []
  for (let number = 0; number <= TESTBEDS; number += 1) people.push(await join(app, code, `Person ${number}`))
  const [first, ...others] = people
  if (first === undefined) throw new Error('nobody joined')
  // The first one also warms the server up.
  await first.run(await first.session(LAB), 'deploy', {})
  const before = await memoryOf(pid)
  const seconds: number[] = []
  for (const one of others) {
    const session = await one.session(LAB)
    const began = performance.now()
    await one.run(session, 'deploy', {})
    seconds.push((performance.now() - began) / 1000)
  }
  const after = await memoryOf(pid)
  const testbed = (after.testbeds - before.testbeds) / TESTBEDS
  const processes = (after.processes - before.processes) / TESTBEDS
  for (const one of people) one.close()
  return {
    what: 'One participant’s testbed: start-up time and memory',
    bound: `<= ${LIMIT_SECONDS} s, <= ${LIMIT_MB} MB`,
    measured: `${spread(seconds, 2, ' s')}, ${testbed.toFixed(1)} MB`,
    how: `${TESTBEDS} in turn, from nothing to pods with netserver; the memory of its ${processes.toFixed(0)} processes`,
    holds: median(seconds) <= LIMIT_SECONDS && testbed <= LIMIT_MB,
  }
}
