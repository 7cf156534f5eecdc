/** The instructor pauses the queue, and moves runs to the front. */
import type { RunId } from '@expresslane/shared/run/events'
import { runAccepted, type Session } from '@expresslane/shared/wire/protocol'
import { queueBody } from '@expresslane/shared/wire/board'
import { testbedId, thisMachine } from '@expresslane/shared/testbed/id'
import { describe, expect, it } from 'vitest'
import { linkOwner } from '../../src/access/principal.ts'
import { openSession } from '../../src/runs/coordination/sessions.ts'
import { openApi, read, refused } from '../support/http/api.ts'
import { dataDir, openRig, runStep, stateOf, type Rig } from '../support/deps.ts'
import { participant, person } from '../support/http/people.ts'
import { startServer } from '../support/http/server.ts'

const params = { repeats: 1, seconds: 1 }

async function ready(rig: Rig, owner: string) {
  const testbed = owner === linkOwner.id ? thisMachine : testbedId.parse(`netns@${owner}`)
  const session = await openSession(rig.deps, { labId: 'big-tcp-ipv4', testbed, owner })
  await runStep(rig.deps, session, 'read-off', true)
  const fake = rig.fakes.at(-1)
  if (fake === undefined) throw new Error('no testbed was made')
  return { session, fake }
}

const measure = ({ deps }: Rig, session: Session) =>
  deps.scheduler.start(session, { stepId: 'baseline', params, solve: false })

/** Alice measures, Bob and Carol wait. */
async function line() {
  const api = await openApi()
  const [alice, bob, carol] = [await ready(api, 'alice'), await ready(api, 'bob'), await ready(api, 'carol')]
  const door = alice.fake.hold('netperf')
  const first = await measure(api, alice.session)
  await door.reached
  const waiting = [await measure(api, bob.session), await measure(api, carol.session)] as const
  return { api, door, first, bobs: waiting[0].runId, carols: waiting[1].runId }
}

const startOrder = ({ deps }: Rig, ids: readonly RunId[]): RunId[] =>
  deps.log
    .since(0, 10_000)
    .flatMap(({ runId, event }) => (event.type === 'run.started' && ids.includes(runId) ? [runId] : []))

describe('a paused queue', () => {
  it('starts nothing while what runs goes on, says so in each place, and survives a restart', async () => {
    const data = dataDir()
    const rig = openRig({ data })
    const [alice, bob] = [await ready(rig, 'alice'), await ready(rig, 'bob')]
    const door = alice.fake.hold('netperf')
    const first = await measure(rig, alice.session)
    await door.reached
    const { runId: waits } = await measure(rig, bob.session)
    rig.deps.scheduler.pauseQueue(true)
    expect(stateOf(rig.deps, waits).queue).toMatchObject({ place: 1, expectedSeconds: null, paused: true })
    door.open()
    await rig.deps.scheduler.settled(first.runId)
    expect(stateOf(rig.deps, first.runId).state).toBe('completed')
    expect(stateOf(rig.deps, waits).state).toBe('queued')
    // A participant's next run does not start either.
    const { queue } = await rig.deps.scheduler.start(alice.session, { stepId: 'preflight', params: {}, solve: false })
    expect(queue).toMatchObject({ paused: true })
    await rig.deps.close()

    const again = openRig({ data })
    expect(again.deps.store.queue.paused()).toBe(true)
    expect(stateOf(again.deps, waits).state).toBe('queued')
    again.deps.scheduler.pauseQueue(false)
    await again.deps.scheduler.settled(waits)
    expect(stateOf(again.deps, waits).state).not.toBe('queued')
  })

  it('does not hold the instructor', async () => {
    const rig = openRig()
    const bob = await ready(rig, 'bob')
    const own = await ready(rig, linkOwner.id)
    rig.deps.scheduler.pauseQueue(true)
    const { runId: held } = await measure(rig, bob.session)
    const door = own.fake.hold('netperf')
    const presented = await measure(rig, own.session)
    expect(presented.queue).toBeNull()
    await door.reached
    const second = await measure(rig, own.session)
    expect(second.queue).toMatchObject({ place: 1, paused: false })
    expect(stateOf(rig.deps, held).queue).toMatchObject({ place: 2, paused: true })
    door.open()
    await rig.deps.scheduler.settled(second.runId)
    rig.deps.scheduler.pauseQueue(false)
    await rig.deps.scheduler.settled(held)
    expect(stateOf(rig.deps, held).state).toBe('completed')
  })
})

describe('a jump', () => {
  it('goes before all who wait, who learn their new place', async () => {
    const { api, door, first, bobs, carols } = await line()
    const accepted = read(await api.post(`/api/runs/${carols}/jump`), 202, runAccepted)
    expect(accepted.queue?.place).toBe(1)
    expect(stateOf(api.deps, bobs).queue?.place).toBe(2)
    door.open()
    for (const id of [first.runId, bobs, carols]) await api.deps.scheduler.settled(id)
    expect(startOrder(api, [bobs, carols])).toEqual([carols, bobs])
    expect(refused(await api.post(`/api/runs/${carols}/jump`), 409).code).toBe('run_not_running')
    expect(refused(await api.post('/api/runs/r_00000000/jump'), 404).code).toBe('not_found')
  })
})

describe('the routes', () => {
  it('are the instructor’s', async () => {
    const alice = participant('alice')
    const server = await startServer({ guests: [alice] })
    const hers = person(server, alice.token)
    expect(await hers.tries('/api/room/queue', { paused: true }, 'PUT')).toEqual([403, 'not_allowed'])
    expect(await hers.tries('/api/runs/r_00000000/jump', {})).toEqual([403, 'not_allowed'])
    const owner = person(server, server.token)
    expect(await owner.read(queueBody, '/api/room/queue', 200, { paused: true }, 'PUT')).toEqual({ paused: true })
    expect(server.deps.store.queue.paused()).toBe(true)
  })
})
