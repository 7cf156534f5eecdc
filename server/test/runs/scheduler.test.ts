/** Runs are cancelled, chained and put back, and every run comes to an end; what waits is in queue/queue.test.ts. */
import { bigTcp } from '../support/runs/settings.ts'
import { LabError } from '@expresslane/shared/base/errors'
import { RESET_STEP, runId, type RunId } from '@expresslane/shared/run/events'
import { thisMachine } from '@expresslane/shared/testbed/id'
import { describe, expect, it } from 'vitest'
import { DRAIN_MS } from '../../src/runs/coordination/run.ts'
import { OTHERS_EVERY_MS } from '../../src/runs/coordination/others.ts'
import { testClock } from '../support/clock.ts'
import { beginSession, openRig, runStep, stateOf, type Rig } from '../support/deps.ts'
import { createFakeTestbed } from '../support/fakes/fake-testbed.ts'
import type { Latch } from '../support/latch.ts'
import { startedRun } from '../support/runs/runs.ts'

const step = (stepId: string, solve = false) => ({ stepId, params: { repeats: 1, seconds: 1 }, solve })
const theTestbed = async ({ deps, fakes }: Rig) => {
  await deps.testbeds.get(thisMachine)
  const [fake] = fakes
  if (fake === undefined) throw new Error('no testbed was made')
  return fake
}

describe('cancel', () => {
  it('signals, waits for the drain, and records cancelled', async () => {
    const rig = openRig()
    const { deps } = rig
    const session = await beginSession(deps)
    await runStep(deps, session, 'read-off', true)
    const door = (await theTestbed(rig)).hold('netperf')
    const { runId: id } = await deps.scheduler.start(session, step('baseline'))
    await door.reached
    expect(deps.scheduler.cancel(id)).toEqual({ runId: id, stepId: 'baseline', queue: null })
    await deps.scheduler.settled(id)
    expect(stateOf(deps, id)).toMatchObject({ state: 'cancelled', problem: null, outcome: null })
    expect(deps.store.runs.find(id)?.state).toBe('cancelled')
    expect((await runStep(deps, session, 'baseline')).state).toBe('completed')
  })

  it('refuses ended and missing runs', async () => {
    const { deps } = openRig()
    const { id } = await runStep(deps, await beginSession(deps), 'preflight')
    expect(() => deps.scheduler.cancel(id)).toThrow(expect.objectContaining({ code: 'run_not_running' }))
    const never = runId.parse('r_00000000')
    expect(() => deps.scheduler.cancel(never)).toThrow(expect.objectContaining({ code: 'not_found' }))
  })

  it('discards a testbed that does not stop in time, and continues with a new one', async () => {
    const clock = testClock()
    const rig = openRig({ clock })
    const { deps, fakes } = rig
    const session = await beginSession(deps)
    const door = (await theTestbed(rig)).hold('preflight', { deaf: true })
    const { runId: id } = await deps.scheduler.start(session, step('preflight'))
    await door.reached
    deps.scheduler.cancel(id)
    clock.advance(DRAIN_MS - 1)
    expect(deps.store.runs.find(id)?.state).toBe('running')
    clock.advance(1)
    await deps.scheduler.settled(id)
    const given = stateOf(deps, id)
    expect(given).toMatchObject({ state: 'cancelled', problem: { code: 'deadline_exceeded' } })
    // Events that the abandoned testbed still emits are not recorded.
    door.open()
    expect((await runStep(deps, session, 'preflight')).state).toBe('completed')
    expect(stateOf(deps, id)).toEqual(given)
    expect(fakes).toHaveLength(2)
    expect(fakes[0]?.passed).toContain('close')
  })

  it('does not wait forever for a discarded testbed that does not close either', async () => {
    const clock = testClock()
    const rig = openRig({ clock })
    const { deps } = rig
    const fake = await theTestbed(rig)
    const [stuck, closing] = [fake.hold('preflight', { deaf: true }), fake.hold('close', { deaf: true })]
    const { runId: id } = await deps.scheduler.start(await beginSession(deps), step('preflight'))
    await stuck.reached
    deps.scheduler.cancel(id)
    clock.advance(DRAIN_MS)
    await closing.reached
    clock.advance(DRAIN_MS)
    await deps.scheduler.settled(id)
    expect(stateOf(deps, id).state).toBe('cancelled')
    stuck.open()
    closing.open()
  })

  it('cancels running runs when the server closes, and starts no more', async () => {
    const rig = openRig()
    const { deps } = rig
    const session = await beginSession(deps)
    const door = (await theTestbed(rig)).hold('preflight')
    const { runId: id } = await deps.scheduler.start(session, step('preflight'))
    await door.reached
    await deps.scheduler.close()
    expect(stateOf(deps, id).state).toBe('cancelled')
    await expect(deps.scheduler.start(session, step('preflight'))).rejects.toMatchObject({ code: 'server_restarted' })
  })
})

describe('a run always ends', () => {
  it('as failed, with the message of the error', async () => {
    const rig = openRig()
    const error = new LabError('tool_missing', 'netperf is not installed.', 'Install it.', { remedyCommand: 'apt' })
    ;(await theTestbed(rig)).fail('preflight', error)
    const run = await runStep(rig.deps, await beginSession(rig.deps), 'preflight')
    expect(run).toMatchObject({ state: 'failed', problem: error.toProblem(), outcome: null })
  })

  it('as failed with `internal` after an unexpected error', async () => {
    const rig = openRig()
    ;(await theTestbed(rig)).fail('preflight', new Error('a bug'))
    const run = await runStep(rig.deps, await beginSession(rig.deps), 'preflight')
    expect(run).toMatchObject({ state: 'failed', problem: { code: 'internal', detail: 'a bug' } })
  })

  it('even if the store could not record its end at first', async () => {
    const clock = testClock()
    const rig = openRig({ clock })
    const { deps } = rig
    const door = (await theTestbed(rig)).hold('preflight')
    const { runId: id } = await deps.scheduler.start(await beginSession(deps), step('preflight'))
    await door.reached
    // The disk is full: nothing may end.
    const full = "CREATE TRIGGER full BEFORE UPDATE ON runs BEGIN SELECT RAISE(ABORT, 'disk full'); END"
    rig.sql(full)
    door.open()
    await deps.scheduler.settled(id)
    expect(deps.store.runs.find(id)?.state).toBe('running')
    clock.advance(OTHERS_EVERY_MS)
    expect(deps.store.runs.find(id)?.state).toBe('running')
    rig.sql('DROP TRIGGER full')
    clock.advance(OTHERS_EVERY_MS)
    expect(stateOf(deps, id)).toMatchObject({ state: 'interrupted', problem: { code: 'server_restarted' } })
    expect(deps.store.runs.running()).toEqual([])
  })

  it('even if the testbed hangs while the next step of a solve is prepared', async () => {
    const clock = testClock()
    const rig = openRig({ clock })
    const { deps } = rig
    const fake = await theTestbed(rig)
    const session = await beginSession(deps)
    const reached = Promise.withResolvers<Latch>()
    deps.log.subscribe(({ event }) => {
      // From here on the next to read facts is the scheduler itself.
      if (event.type === 'step.checked') reached.resolve(fake.hold('facts', { deaf: true }))
    })
    const { runId: id } = await deps.scheduler.start(session, step('verify-off', true))
    const settled = deps.scheduler.settled(id)
    const door = await reached.promise
    await door.reached
    expect(deps.store.runs.find(id)?.state).toBe('running')
    clock.advance(60_000)
    door.open()
    await settled
    expect(deps.store.runs.ofSession(session.id).map(({ state }) => state)).not.toContain('running')
  })

  it('is recovered when its process is gone, and the testbed is usable', async () => {
    const { deps } = openRig()
    const gone = runId.parse('r_00000001')
    startedRun(deps.store, deps.log, gone, { owner: 'another-boot pid:[1] 1 1' })
    expect((await runStep(deps, await beginSession(deps), 'preflight')).state).toBe('completed')
    expect(stateOf(deps, gone)).toMatchObject({ state: 'interrupted', problem: { code: 'server_restarted' } })
  })
})

describe('solve', () => {
  it('runs every step up to the last, as a chain without other runs in between', async () => {
    const { deps } = openRig()
    const session = await beginSession(deps)
    const rival = await beginSession(deps)
    const asked: Promise<{ runId: RunId }>[] = []
    deps.log.subscribe(({ event }) => {
      // A rival asks when the first step has ended, and waits while the others follow.
      if (event.type === 'run.ended' && asked.length === 0) asked.push(deps.scheduler.start(rival, step('preflight')))
    })
    await runStep(deps, session, 'restore', true)
    const runs = deps.store.runs.ofSession(session.id)
    const steps = deps.findLab('big-tcp-ipv4')?.steps.filter(({ action }) => action !== null) ?? []
    expect(runs.map(({ stepId }) => stepId)).toEqual(steps.map(({ id }) => id))
    expect(runs.every(({ state, result }) => state === 'completed' && result?.passed === true)).toBe(true)
    expect(runs.every(({ solveTo }) => solveTo === 'restore')).toBe(true)
    const [waited] = (await Promise.all(asked)).map((one) => one.runId)
    await deps.scheduler.settled(waited ?? runId.parse('r_00000000'))
    const started = deps.log
      .since(0, 5000)
      .flatMap(({ runId: id, event }) => (event.type === 'run.started' ? [id] : []))
    expect(started).toEqual([...runs.map(({ id }) => id), waited])
  })

  it('hands over in one transaction: the end and the next start are adjacent', async () => {
    const { deps } = openRig()
    await runStep(deps, await beginSession(deps), 'verify-off', true)
    const types = deps.log.since(0, 500).map(({ event }) => event.type)
    const first = types.indexOf('run.ended')
    expect(types.slice(first, first + 2)).toEqual(['run.ended', 'run.started'])
  })

  it('stops at a check that fails', async () => {
    const rig = openRig()
    const fake = await theTestbed(rig)
    fake.checks = [
      {
        id: 'netperf',
        title: 'netperf is missing',
        status: 'failed',
        seen: 'nothing',
        problem: null,
        remedy: 'Install it.',
        remedyCommand: null,
        blocks: ['big-tcp-ipv4'],
      },
    ]
    const session = await beginSession(rig.deps)
    const run = await runStep(rig.deps, session, 'baseline', true)
    expect(run).toMatchObject({ state: 'completed', outcome: { passed: false, hint: 'Install it.' } })
    expect(rig.deps.store.runs.ofSession(session.id)).toHaveLength(1)
  })

  it('is cancelled as a whole, by the id of any of its runs', async () => {
    const rig = openRig()
    const { deps } = rig
    const session = await beginSession(deps)
    const door = (await theTestbed(rig)).hold('deploy')
    const first = await deps.scheduler.start(session, step('baseline', true))
    await door.reached
    expect(deps.scheduler.cancel(first.runId).stepId).toBe('deploy')
    await deps.scheduler.settled(first.runId)
    const states = deps.store.runs.ofSession(session.id).map(({ stepId, state }) => [stepId, state])
    expect(states).toEqual([
      ['preflight', 'completed'],
      ['verify-off', 'completed'],
      ['deploy', 'cancelled'],
    ])
  })

  it('repeats the steps whose effect a rebuilt testbed has lost', async () => {
    const fakes = [createFakeTestbed('one'), createFakeTestbed('two')]
    const { deps } = openRig({ fakes })
    const session = await beginSession(deps)
    await runStep(deps, session, 'read-off', true)
    await deps.testbeds.renew(thisMachine)
    await runStep(deps, session, 'baseline', true)
    const second = deps.store.runs.ofSession(session.id).filter(({ incarnation }) => incarnation === 'two')
    expect(second.map(({ stepId }) => stepId)).toEqual(['deploy', 'read-off', 'baseline'])
  })

  it('has nothing to do if all steps are done', async () => {
    const { deps } = openRig()
    const session = await beginSession(deps)
    await runStep(deps, session, 'verify-off', true)
    await expect(deps.scheduler.start(session, step('verify-off', true))).rejects.toMatchObject({
      code: 'nothing_to_do',
    })
  })
})

describe('reset and the snapshot', () => {
  it('restores the settings, and begins the session again', async () => {
    const rig = openRig()
    const { deps } = rig
    const session = await beginSession(deps)
    await runStep(deps, session, 'read-switched', true)
    const { id: incarnation } = await theTestbed(rig)
    expect(deps.store.snapshots.read(thisMachine, incarnation)).toEqual(
      bigTcp({ ipv4: false, ipv6: false, limit: null, mtu: null, cpus: null }),
    )
    const reset = await deps.scheduler.reset(session)
    expect(reset.stepId).toBe(RESET_STEP)
    await deps.scheduler.settled(reset.runId)
    const run = stateOf(deps, reset.runId)
    expect(run).toMatchObject({ state: 'completed', outcome: { passed: true } })
    expect(run.datapath).toMatchObject({ settings: { 'big-tcp-ipv4': false, 'big-tcp-ipv6': false }, placement: null })
    expect(deps.store.snapshots.read(thisMachine, incarnation)).toBeNull()
    // Everything is to be done again.
    const again = await deps.scheduler.start(session, step('verify-off', true))
    await deps.scheduler.settled(again.runId)
    expect(again.stepId).toBe('preflight')
  })

  it('keeps the snapshot if restoring fails, so that it can be repeated', async () => {
    const rig = openRig()
    const { deps } = rig
    const session = await beginSession(deps)
    await runStep(deps, session, 'enable', true)
    const fake = await theTestbed(rig)
    fake.fail('set', new LabError('datapath_not_taken', 'It did not take.', 'Try again.'))
    const failed = await deps.scheduler.reset(session)
    await deps.scheduler.settled(failed.runId)
    expect(stateOf(deps, failed.runId).state).toBe('failed')
    expect(deps.store.snapshots.read(thisMachine, fake.id)).not.toBeNull()
    const reset = await deps.scheduler.reset(session)
    await deps.scheduler.settled(reset.runId)
    expect(stateOf(deps, reset.runId).outcome?.passed).toBe(true)
  })

  it.each(['enable', RESET_STEP])('finds it again if the testbed could not be read when %s started', async (unread) => {
    const rig = openRig()
    const { deps } = rig
    const session = await beginSession(deps)
    const fake = await theTestbed(rig)
    const away = new LabError('cluster_unreachable', 'It is away.', 'Wait.')
    const settings = async () => (await fake.read({ signal: new AbortController().signal, emit: () => {} })).settings
    if (unread === 'enable') fake.fail('facts', away)
    await runStep(deps, session, 'enable')
    expect(await settings()).toMatchObject({ 'big-tcp-ipv4': true })
    if (unread === RESET_STEP) fake.fail('facts', away)
    const reset = await deps.scheduler.reset(session)
    await deps.scheduler.settled(reset.runId)
    expect(stateOf(deps, reset.runId).outcome?.passed).toBe(true)
    expect(await settings()).toMatchObject({ 'big-tcp-ipv4': false })
    expect(deps.store.snapshots.read(thisMachine, fake.id)).toBeNull()
  })
})
