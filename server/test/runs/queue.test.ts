/** Runs wait in line for what they need alone: in order, fair, to be cancelled, and kept when their process is gone. */
import type { RunId } from '@expresslane/shared/run/events'
import { testbedId } from '@expresslane/shared/testbed/id'
import type { Session } from '@expresslane/shared/wire/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Deps } from '../../src/deps.ts'
import { OTHERS_EVERY_MS } from '../../src/runs/coordination/others.ts'
import { openSession, viewSessions } from '../../src/runs/coordination/sessions.ts'
import { ownerOf } from '../../src/store/owner.ts'
import { testClock } from '../support/clock.ts'
import { dataDir, openRig, runStep, stateOf, type Rig } from '../support/deps.ts'
import type { FakeTestbed } from '../support/fakes/fake-testbed.ts'

const LAB = 'big-tcp-ipv4'
const wish = (stepId: string, solve = false) => ({ stepId, params: { repeats: 1, seconds: 1 }, solve })

/** A person's own testbed on this machine, by name, and a session there. */
async function comes(rig: Rig, owner: string, testbed = `netns@${owner}`) {
  const before = rig.fakes.length
  const session = await openSession(rig.deps, { labId: LAB, testbed: testbedId.parse(testbed), owner })
  await rig.deps.testbeds.get(session.testbed)
  const fake = rig.fakes[before] ?? rig.fakes.at(-1)
  if (fake === undefined) throw new Error('no testbed was made')
  return { session, fake }
}

/** The same, with pods: the next measurement can be taken. */
async function comesReady(rig: Rig, owner: string) {
  const one = await comes(rig, owner)
  await runStep(rig.deps, one.session, 'read-off', true)
  return one
}

async function threeReady(rig: Rig) {
  return [await comesReady(rig, 'alice'), await comesReady(rig, 'bob'), await comesReady(rig, 'carol')] as const
}

async function ask(deps: Deps, session: Session, stepId: string, solve = false) {
  return deps.coordinator.start(session, wish(stepId, solve))
}

/** Starts a measurement that goes on until its door is opened. */
async function measures({ deps }: Rig, { session, fake }: { session: Session; fake: FakeTestbed }) {
  const door = fake.hold('netperf')
  const { runId, queue } = await ask(deps, session, 'baseline')
  expect(queue).toBeNull()
  await door.reached
  return { runId, door }
}

function startedIn({ log }: Deps, ids: readonly RunId[]): RunId[] {
  const started = log.since(0, 10_000).flatMap(({ runId, event }) => (event.type === 'run.started' ? [runId] : []))
  return started.filter((id) => ids.includes(id))
}

function placesOf({ log }: Deps, id: RunId): number[] {
  return log
    .since(0, 10_000)
    .flatMap(({ runId, event }) => (runId === id && event.type === 'run.queued' ? [event.place] : []))
}

const settle = ({ coordinator }: Deps, ids: readonly RunId[]) => Promise.all(ids.map((id) => coordinator.settled(id)))

/** No two runs that measured on this machine overlap. */
function expectOneAtATime({ log }: Deps): void {
  const measuring = new Set<RunId>()
  for (const { runId, event } of log.since(0, 100_000)) {
    if (event.type === 'run.started' && event.stepId === 'baseline') measuring.add(runId)
    if (event.type === 'run.ended') measuring.delete(runId)
    expect(measuring.size).toBeLessThan(2)
  }
}

describe('the queue', () => {
  it('serves measurements on one machine in the order of their requests', async () => {
    const rig = openRig()
    const { deps } = rig
    const [alice, bob, carol] = await threeReady(rig)
    const { runId: first, door } = await measures(rig, alice)
    const second = await ask(deps, bob.session, 'baseline')
    const third = await ask(deps, carol.session, 'baseline')
    // One second planned each.
    expect([second.queue, third.queue]).toMatchObject([{ place: 1 }, { place: 2 }])
    expect(third.queue?.expectedSeconds).toBeLessThanOrEqual(2)
    expect(stateOf(deps, second.runId)).toMatchObject({ state: 'queued', queue: { place: 1 }, endedAt: null })
    door.open()
    const ids = [first, second.runId, third.runId]
    await settle(deps, ids)
    expect(startedIn(deps, ids)).toEqual(ids)
    expect(ids.map((id) => stateOf(deps, id).state)).toEqual(['completed', 'completed', 'completed'])
    expect(placesOf(deps, third.runId)).toEqual([2, 1])
    expect(stateOf(deps, third.runId).queue).toBeNull()
    expect([...deps.store.holds.all()]).toEqual([])
  })

  it('puts a person’s second run behind everyone’s first', async () => {
    const rig = openRig()
    const { deps } = rig
    const [alice, bob, carol] = await threeReady(rig)
    const { runId: running, door } = await measures(rig, carol)
    const one = await ask(deps, alice.session, 'baseline')
    const two = await ask(deps, alice.session, 'baseline')
    const bobs = await ask(deps, bob.session, 'baseline')
    expect([one, two, bobs].map(({ queue }) => queue?.place)).toEqual([1, 2, 2])
    expect(stateOf(deps, two.runId).queue?.place).toBe(3)
    door.open()
    await settle(deps, [running, one.runId, two.runId, bobs.runId])
    expect(startedIn(deps, [one.runId, two.runId, bobs.runId])).toEqual([one.runId, bobs.runId, two.runId])
  })

  it('lets others prepare and read while one measures', async () => {
    const rig = openRig()
    const { deps } = rig
    const { runId, door } = await measures(rig, await comesReady(rig, 'alice'))
    const { session } = await comes(rig, 'bob')
    for (const stepId of ['preflight', 'verify-off', 'deploy', 'read-off', 'enable']) {
      expect((await runStep(deps, session, stepId)).state, stepId).toBe('completed')
    }
    expect(stateOf(deps, runId).state).toBe('running')
    door.open()
    await deps.coordinator.settled(runId)
  })

  it('runs a solve as far as possible, and queues it where it has to wait', async () => {
    const rig = openRig()
    const { deps } = rig
    const { runId, door } = await measures(rig, await comesReady(rig, 'alice'))
    const { session } = await comes(rig, 'bob')
    const queued = Promise.withResolvers<RunId>()
    deps.log.subscribe((logged) => {
      if (logged.event.type === 'run.queued') queued.resolve(logged.runId)
    })
    const first = await ask(deps, session, 'baseline', true)
    expect(first.queue).toBeNull()
    const waiting = await queued.promise
    const steps = deps.store.runs.ofSession(session.id).map(({ stepId, state }) => [stepId, state])
    expect(steps.at(-1)).toEqual(['baseline', 'queued'])
    expect(steps.slice(0, -1).every(([, state]) => state === 'completed')).toBe(true)
    // Its testbed is its own meanwhile; the machine is not.
    expect(deps.store.holds.of(waiting)).toEqual([`testbed:${session.testbed}`])
    door.open()
    await settle(deps, [runId, first.runId])
    expect(stateOf(deps, waiting)).toMatchObject({ state: 'completed', solveTo: 'baseline' })
    expectOneAtATime(deps)
  })

  it('keeps the machine between the steps of a solve with more measurements', async () => {
    const rig = openRig()
    const { deps } = rig
    const [alice, bob] = [await comesReady(rig, 'alice'), await comesReady(rig, 'bob')]
    const door = alice.fake.hold('netperf')
    const solve = await ask(deps, alice.session, 'compare', true)
    await door.reached
    const waits = await ask(deps, bob.session, 'baseline')
    expect(waits.queue?.place).toBe(1)
    door.open()
    await settle(deps, [solve.runId, waits.runId])
    const measured = deps.log
      .since(0, 10_000)
      .flatMap(({ event }) => (event.type === 'measurement.taken' ? [event.measurement.arm] : []))
    expect(measured).toEqual(['off', 'on', 'off'])
  })

  it('queues a solve once: another request returns the waiting one', async () => {
    const rig = openRig()
    const { deps } = rig
    const [alice, bob] = [await comesReady(rig, 'alice'), await comesReady(rig, 'bob')]
    const { runId, door } = await measures(rig, alice)
    const one = await ask(deps, bob.session, 'baseline', true)
    expect(await ask(deps, bob.session, 'baseline', true)).toEqual(one)
    door.open()
    await settle(deps, [runId, one.runId])
    expect(deps.store.runs.ofSession(bob.session.id).filter(({ stepId }) => stepId === 'baseline')).toHaveLength(1)
  })

  it('plans a solve again if its testbed was rebuilt while it waited', async () => {
    const rig = openRig()
    const { deps } = rig
    const [alice, bob] = [await comesReady(rig, 'alice'), await comesReady(rig, 'bob')]
    const { runId, door } = await measures(rig, alice)
    const before = deps.store.runs.ofSession(bob.session.id).length
    const waits = await ask(deps, bob.session, 'baseline', true)
    await deps.testbeds.renew(bob.session.testbed)
    door.open()
    await settle(deps, [runId, waits.runId])
    const steps = deps.store.runs.ofSession(bob.session.id).slice(before)
    expect(steps.map(({ stepId }) => stepId)).toEqual(['deploy', 'read-off', 'baseline'])
    expect(stateOf(deps, waits.runId).stepId).toBe('deploy')
    expect(steps.every(({ state }) => state === 'completed')).toBe(true)
  })

  it('runs thirty simultaneous requests one after the other', async () => {
    const rig = openRig()
    const { deps } = rig
    const people = Array.from({ length: 30 }, (_, index) => `person${index}`)
    const sessions = await Promise.all(people.map(async (owner) => (await comes(rig, owner)).session))
    const asked = await Promise.all(sessions.map((session) => ask(deps, session, 'baseline', true)))
    await settle(
      deps,
      asked.map(({ runId }) => runId),
    )
    expectOneAtATime(deps)
    const runs = sessions.map(({ id }) => deps.store.runs.ofSession(id).at(-1))
    expect(runs.map((run) => [run?.stepId, run?.state])).toEqual(people.map(() => ['baseline', 'completed']))
    expect([...deps.store.holds.all()]).toEqual([])
  })

  it('runs any requests in any order, one at a time, to the end', async () => {
    const asks = fc.record({
      owner: fc.constantFrom('alice', 'bob', 'carol'),
      stepId: fc.constantFrom('preflight', 'baseline', 'compare', 'restore'),
      solve: fc.boolean(),
      cancelled: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(asks, { minLength: 2, maxLength: 10 }), async (all) => {
        const rig = openRig()
        const { deps } = rig
        const accepted: RunId[] = []
        for (const { owner, stepId, solve, cancelled } of all) {
          const { session } = await comes(rig, owner)
          // A solve may have nothing to do.
          const run = await ask(deps, session, stepId, solve).catch(() => null)
          if (run === null) continue
          accepted.push(run.runId)
          if (cancelled && deps.store.runs.open().some(({ id }) => id === run.runId)) deps.coordinator.cancel(run.runId)
        }
        await settle(deps, accepted)
        expectOneAtATime(deps)
        expect(deps.store.runs.open()).toEqual([])
        expect([...deps.store.holds.all()]).toEqual([])
        await deps.close()
      }),
      { numRuns: 12 },
    )
  })
})

describe('a queued run that is cancelled', () => {
  it('ends at once without any effect, and the next one moves up', async () => {
    const rig = openRig()
    const { deps } = rig
    const [alice, bob, carol] = await threeReady(rig)
    const { runId, door } = await measures(rig, alice)
    const gone = await ask(deps, bob.session, 'baseline')
    const next = await ask(deps, carol.session, 'baseline')
    expect(deps.coordinator.cancel(gone.runId)).toMatchObject({ runId: gone.runId })
    expect(stateOf(deps, gone.runId)).toMatchObject({ state: 'cancelled', problem: null, outcome: null })
    expect(placesOf(deps, next.runId)).toEqual([2, 1])
    await deps.coordinator.settled(gone.runId)
    expect(() => deps.coordinator.cancel(gone.runId)).toThrow(expect.objectContaining({ code: 'run_not_running' }))
    door.open()
    await settle(deps, [runId, next.runId])
    expect(startedIn(deps, [gone.runId])).toEqual([])
    expect(bob.fake.passed).not.toContain('netperf')
  })

  it('cancels the rest of its solve, and frees its testbed', async () => {
    const rig = openRig()
    const { deps } = rig
    const { runId, door } = await measures(rig, await comesReady(rig, 'alice'))
    const { session } = await comesReady(rig, 'bob')
    const solve = await ask(deps, session, 'compare', true)
    expect(solve.queue?.place).toBe(1)
    deps.coordinator.cancel(solve.runId)
    await deps.coordinator.settled(solve.runId)
    expect((await runStep(deps, session, 'preflight')).state).toBe('completed')
    door.open()
    await deps.coordinator.settled(runId)
    expect(deps.store.runs.ofSession(session.id).at(-1)?.stepId).toBe('preflight')
  })
})

describe('a testbed with queued runs', () => {
  it('is not closed', async () => {
    const rig = openRig()
    const { deps } = rig
    const [alice, bob] = [await comesReady(rig, 'alice'), await comesReady(rig, 'bob')]
    const { runId, door } = await measures(rig, alice)
    const waits = await ask(deps, bob.session, 'baseline')
    await expect(deps.coordinator.release(bob.session.testbed)).rejects.toMatchObject({ code: 'testbed_busy' })
    door.open()
    await settle(deps, [runId, waits.runId])
    await deps.coordinator.release(bob.session.testbed)
  })
})

describe('processes on one data directory', () => {
  const other = ownerOf(process.ppid)

  it('share the queue: one waits for the other’s measurement', async () => {
    const data = dataDir()
    const clock = testClock()
    const [here, there] = [openRig({ data, clock }), openRig({ data, clock, process: other })]
    const [alice, bob] = [await comesReady(here, 'alice'), await comesReady(there, 'bob')]
    const { runId, door } = await measures(here, alice)
    const { runId: waits, queue } = await ask(there.deps, bob.session, 'baseline')
    expect(queue?.place).toBe(1)
    clock.advance(OTHERS_EVERY_MS)
    expect(stateOf(there.deps, waits).state).toBe('queued')
    door.open()
    await here.deps.coordinator.settled(runId)
    clock.advance(OTHERS_EVERY_MS)
    await there.deps.coordinator.settled(waits)
    expect(stateOf(there.deps, waits).state).toBe('completed')
    expectOneAtATime(there.deps)
  })

  it('cancel queued runs of each other', async () => {
    const data = dataDir()
    const clock = testClock()
    const [here, there] = [openRig({ data, clock }), openRig({ data, clock, process: other })]
    const [alice, bob] = [await comesReady(here, 'alice'), await comesReady(there, 'bob')]
    const { runId, door } = await measures(here, alice)
    const { runId: waits } = await ask(there.deps, bob.session, 'baseline')
    const settled = there.deps.coordinator.settled(waits)
    expect(here.deps.coordinator.cancel(waits).runId).toBe(waits)
    clock.advance(OTHERS_EVERY_MS)
    await settled
    expect(stateOf(there.deps, waits).state).toBe('cancelled')
    door.open()
    await here.deps.coordinator.settled(runId)
  })

  /** A run that waits in a process that is gone, behind one that it performed. */
  async function leftBehind(data: string): Promise<{ measured: RunId; waits: RunId }> {
    const rig = openRig({ data })
    const [alice, bob] = [await comesReady(rig, 'alice'), await comesReady(rig, 'bob')]
    const { runId } = await measures(rig, alice)
    const { runId: waits } = await ask(rig.deps, bob.session, 'baseline', true)
    await rig.deps.close()
    rig.sql(`UPDATE runs SET owner = 'another-boot pid:[1] 1 1' WHERE state = 'queued'`)
    return { measured: runId, waits }
  }

  it('keep queued runs when the server stops, and continue them after a restart', async () => {
    const data = dataDir()
    const { measured, waits } = await leftBehind(data)
    const { deps } = openRig({ data })
    await deps.coordinator.settled(waits)
    expect(stateOf(deps, measured).state).toBe('cancelled')
    // The pods went with the process: they are deployed again first.
    expect(stateOf(deps, waits)).toMatchObject({ state: 'completed', stepId: 'deploy', solveTo: 'baseline' })
    const last = deps.store.runs.ofSession(stateOf(deps, waits).sessionId).at(-1)
    expect(last).toMatchObject({ stepId: 'baseline', state: 'completed', owner: deps.store.owner })
  })

  it('are not delayed by runs that a command does not continue', async () => {
    const data = dataDir()
    const { waits } = await leftBehind(data)
    const rig = openRig({ data, adopts: false })
    const { session } = await comesReady(rig, 'carol')
    expect((await runStep(rig.deps, session, 'baseline')).state).toBe('completed')
    expect(rig.deps.store.runs.find(waits)?.state).toBe('queued')
  })

  it('end queued runs of a lab that this version does not have', async () => {
    const data = dataDir()
    const { waits } = await leftBehind(data)
    const rig = openRig({ data, adopts: false })
    rig.sql(`UPDATE runs SET remaining = '["a-step-of-old"]' WHERE id = '${waits}'`)
    await rig.deps.close()
    const { deps } = openRig({ data })
    expect(stateOf(deps, waits)).toMatchObject({ state: 'interrupted', problem: { code: 'server_restarted' } })
  })
})

it("keeps a step's state if its next run is cancelled in the queue", async () => {
  const rig = openRig()
  const { deps } = rig
  const { session, fake } = await comes(rig, 'alice')
  await runStep(deps, session, 'verify-off', true)
  const door = fake.hold('deploy')
  const running = await ask(deps, session, 'deploy')
  await door.reached
  const gone = await ask(deps, session, 'preflight')
  deps.coordinator.cancel(gone.runId)
  door.open()
  await settle(deps, [running.runId, gone.runId])
  expect(viewSessions(deps, [session]).sessions[0]?.passedSteps).toEqual(['preflight', 'verify-off', 'deploy'])
  // A solve has the preflight behind it.
  expect((await ask(deps, session, 'read-off', true)).stepId).toBe('read-off')
})
