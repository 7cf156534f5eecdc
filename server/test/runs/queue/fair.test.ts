/** Nobody keeps the machine from the others: by what people used, and the instructor before all of them. */
import { describe, expect, it } from 'vitest'
import { linkOwner } from '../../../src/access/principal.ts'
import { ownerOf } from '../../../src/store/owner.ts'
import { USE_COUNTS_MS } from '../../../src/store/queue.ts'
import { testClock } from '../../support/clock.ts'
import { dataDir, openRig, stateOf } from '../../support/deps.ts'
import { ask, comes, comesReady, measures, settle, startedIn, threeReady } from '../../support/runs/queue.ts'

describe('the line', () => {
  it('puts those behind who measured for long, in every process on the data', async () => {
    const clock = testClock()
    const data = dataDir()
    const rig = openRig({ clock, data })
    const { deps } = rig
    const [alice, bob, carol] = await threeReady(rig)
    const long = await measures(rig, bob)
    clock.advance(100_000)
    long.door.open()
    await settle(deps, [long.runId])
    expect([...deps.store.queue.used(clock.now())]).toEqual([['bob', 100]])
    const other = openRig({ clock, data, process: ownerOf(process.ppid) })
    expect([...other.deps.store.queue.used(clock.now())]).toEqual([['bob', 100]])

    const { runId, door } = await measures(rig, alice)
    const bobs = await ask(deps, bob.session, 'baseline')
    const carols = await ask(deps, carol.session, 'baseline')
    expect(bobs.queue?.place).toBe(1)
    expect(carols.queue?.place).toBe(1)
    expect(stateOf(deps, bobs.runId).queue?.place).toBe(2)
    door.open()
    await settle(deps, [runId, bobs.runId, carols.runId])
    expect(startedIn(deps, [bobs.runId, carols.runId])).toEqual([carols.runId, bobs.runId])
  })

  it('forgets what was used more than an hour ago', async () => {
    const clock = testClock()
    const { deps } = openRig({ clock })
    deps.store.queue.addUse({ person: 'bob', ms: 100_000 }, clock.now())
    deps.store.queue.addUse({ person: 'bob', ms: 20_000 }, clock.now())
    clock.advance(USE_COUNTS_MS - 1)
    deps.store.queue.addUse({ person: 'carol', ms: 5000 }, clock.now())
    expect(deps.store.queue.used(clock.now())).toEqual(
      new Map([
        ['bob', 120],
        ['carol', 5],
      ]),
    )
    clock.advance(1)
    expect(deps.store.queue.used(clock.now())).toEqual(new Map([['carol', 5]]))
  })

  it('does not count what a person does on their own testbed alone', async () => {
    const clock = testClock()
    const rig = openRig({ clock })
    const { session, fake } = await comes(rig, 'alice')
    await rig.deps.scheduler.settled((await ask(rig.deps, session, 'verify-off', true)).runId)
    const door = fake.hold('deploy')
    const { runId } = await ask(rig.deps, session, 'deploy')
    await door.reached
    clock.advance(90_000)
    door.open()
    await settle(rig.deps, [runId])
    expect(stateOf(rig.deps, runId).state).toBe('completed')
    expect(rig.deps.store.queue.used(clock.now())).toEqual(new Map())
  })

  it('has an instructor’s run next, before those that were moved to the front', async () => {
    const rig = openRig()
    const { deps } = rig
    const [alice, bob, carol] = await threeReady(rig)
    const own = await comesReady(rig, linkOwner.id)
    const { runId, door } = await measures(rig, alice)
    const bobs = await ask(deps, bob.session, 'baseline')
    const carols = await ask(deps, carol.session, 'baseline')
    deps.scheduler.jump(carols.runId)
    const presented = await ask(deps, own.session, 'baseline')
    expect(presented.queue?.place).toBe(1)
    expect(stateOf(deps, carols.runId).queue?.place).toBe(2)
    expect(stateOf(deps, bobs.runId).queue?.place).toBe(3)
    // The running measurement goes on.
    expect(stateOf(deps, runId).state).toBe('running')
    door.open()
    const ids = [presented.runId, carols.runId, bobs.runId]
    await settle(deps, [runId, ...ids])
    expect(startedIn(deps, ids)).toEqual(ids)
  })
})
