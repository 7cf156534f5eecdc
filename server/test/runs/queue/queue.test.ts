/** Runs wait in line for what they need alone: in order, fair, and to be cancelled. */
import type { RunId } from '@expresslane/shared/run/events'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { viewSessions } from '../../../src/runs/coordination/sessions.ts'
import { openRig, runStep, stateOf } from '../../support/deps.ts'
import {
  ask,
  comes,
  comesReady,
  expectOneAtATime,
  measures,
  placesOf,
  settle,
  startedIn,
  threeReady,
} from '../../support/runs/queue.ts'

describe('the queue', () => {
  it('serves measurements on one machine in the order of their requests', async () => {
    const rig = openRig()
    const { deps } = rig
    const [alice, bob, carol] = await threeReady(rig)
    const { runId: first, door } = await measures(rig, alice)
    const second = await ask(deps, bob.session, 'baseline')
    const third = await ask(deps, carol.session, 'baseline')
    // Each run plans one second.
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
    await deps.scheduler.settled(runId)
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
    // The waiting run keeps its testbed, and does not hold the machine.
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
          if (cancelled && deps.store.runs.open().some(({ id }) => id === run.runId)) deps.scheduler.cancel(run.runId)
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
    expect(deps.scheduler.cancel(gone.runId)).toMatchObject({ runId: gone.runId })
    expect(stateOf(deps, gone.runId)).toMatchObject({ state: 'cancelled', problem: null, outcome: null })
    expect(placesOf(deps, next.runId)).toEqual([2, 1])
    await deps.scheduler.settled(gone.runId)
    expect(() => deps.scheduler.cancel(gone.runId)).toThrow(expect.objectContaining({ code: 'run_not_running' }))
    door.open()
    await settle(deps, [runId, next.runId])
    expect(startedIn(deps, [gone.runId])).toEqual([])
    expect(bob.fake.passed).not.toContain('netperf')
  })

  it('leaves alone the run whose start is reported meanwhile', async () => {
    const rig = openRig()
    const { deps } = rig
    const [alice, bob, carol] = await threeReady(rig)
    const { runId, door } = await measures(rig, alice)
    const next = await ask(deps, bob.session, 'baseline')
    const gone = await ask(deps, carol.session, 'baseline')
    deps.log.subscribe(({ runId: of, event }) => {
      if (of === next.runId && event.type === 'run.started') deps.scheduler.cancel(gone.runId)
    })
    door.open()
    await settle(deps, [runId, next.runId, gone.runId])
    expect([next, gone].map((one) => stateOf(deps, one.runId).state)).toEqual(['completed', 'cancelled'])
  })

  it('cancels the rest of its solve, and frees its testbed', async () => {
    const rig = openRig()
    const { deps } = rig
    const { runId, door } = await measures(rig, await comesReady(rig, 'alice'))
    const { session } = await comesReady(rig, 'bob')
    const solve = await ask(deps, session, 'compare', true)
    expect(solve.queue?.place).toBe(1)
    deps.scheduler.cancel(solve.runId)
    await deps.scheduler.settled(solve.runId)
    expect((await runStep(deps, session, 'preflight')).state).toBe('completed')
    door.open()
    await deps.scheduler.settled(runId)
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
    await expect(deps.scheduler.release(bob.session.testbed)).rejects.toMatchObject({ code: 'testbed_busy' })
    door.open()
    await settle(deps, [runId, waits.runId])
    await deps.scheduler.release(bob.session.testbed)
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
  deps.scheduler.cancel(gone.runId)
  door.open()
  await settle(deps, [running.runId, gone.runId])
  expect(viewSessions(deps, [session]).sessions[0]?.passedSteps).toEqual(['preflight', 'verify-off', 'deploy'])
  // A solve has the preflight behind it.
  expect((await ask(deps, session, 'read-off', true)).stepId).toBe('read-off')
})
