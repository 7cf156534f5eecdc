/** Processes on one data directory share the queue, and keep it when one of them is gone. */
import type { RunId } from '@expresslane/shared/run/events'
import { describe, expect, it } from 'vitest'
import { OTHERS_EVERY_MS } from '../../../src/runs/coordination/others.ts'
import { ownerOf } from '../../../src/store/owner.ts'
import { testClock } from '../../support/clock.ts'
import { dataDir, openRig, runStep, stateOf } from '../../support/deps.ts'
import { ask, comesReady, expectOneAtATime, measures } from '../../support/runs/queue.ts'

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
    await here.deps.scheduler.settled(runId)
    clock.advance(OTHERS_EVERY_MS)
    await there.deps.scheduler.settled(waits)
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
    const settled = there.deps.scheduler.settled(waits)
    expect(here.deps.scheduler.cancel(waits).runId).toBe(waits)
    clock.advance(OTHERS_EVERY_MS)
    await settled
    expect(stateOf(there.deps, waits).state).toBe('cancelled')
    door.open()
    await here.deps.scheduler.settled(runId)
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
    await deps.scheduler.settled(waits)
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
