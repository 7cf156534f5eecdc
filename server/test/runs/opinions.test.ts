/** Second opinions: the same plan on the counted machine, as a run of its own that is linked to the experiment. */
import { setImmediate as turn } from 'node:timers/promises'
import { aLab } from '@expresslane/shared/test/builders'
import type { RunId } from '@expresslane/shared/run/events'
import type { RunState } from '@expresslane/shared/run/run-state'
import { formatTestbedId, testbedId, thisMachine } from '@expresslane/shared/testbed/id'
import { LabError } from '@expresslane/shared/base/errors'
import { opinionResponse, runAccepted } from '@expresslane/shared/wire/protocol'
import { describe, expect, it } from 'vitest'
import { linkOwner } from '../../src/access/principal.ts'
import { findOrOpenSession, openSession } from '../../src/runs/coordination/sessions.ts'
import { dataDir, openRig, stateOf, type Rig, type RigOptions } from '../support/deps.ts'
import { createFakeTestbed, type FakeTestbed } from '../support/fakes/fake-testbed.ts'
import { openApi, read, refused } from '../support/http/api.ts'
import { classroom } from '../support/http/people.ts'
import { perform, planOf, start } from '../support/runs/experiments.ts'

const counted = testbedId.parse('counted')
const tunable = { default: 1, min: 1, max: 20 }
const four = planOf({ repeats: 4 })

interface WithCounted extends Rig {
  /** The counted machines that were made. */
  readonly machines: FakeTestbed[]
}

function withCounted(options: RigOptions = {}, first = createFakeTestbed('counted', { counted: true })): WithCounted {
  const machines: FakeTestbed[] = []
  const make = (): FakeTestbed => {
    const machine = machines.length === 0 ? first : createFakeTestbed(undefined, { counted: true })
    machines.push(machine)
    return machine
  }
  return { ...openRig({ ...options, counted: make }), machines }
}

function opinionOn({ deps }: Rig, id: RunId): RunState | null {
  const run = deps.store.runs.find(id)
  const found = run === null ? null : deps.opinions.on(run)
  return found === null ? null : stateOf(deps, found.id)
}

/** The second opinion on a run, once it has ended. */
async function ended(rig: Rig, id: RunId): Promise<RunState> {
  const { runId } = await rig.deps.opinions.ask(id)
  await rig.deps.scheduler.settled(runId)
  return stateOf(rig.deps, runId)
}

describe('an experiment that asks for a second opinion', () => {
  it('is followed by the same plan on the counted machine, in instructions', async () => {
    const rig = withCounted()
    const run = await perform(rig, four, { opinion: true })
    const opinion = await ended(rig, run.id)
    expect(opinion).toMatchObject({
      state: 'completed',
      testbed: counted,
      stepId: run.stepId,
      params: { opinionOf: run.id },
      plan: { arms: run.plan?.arms, cases: run.plan?.cases, design: { order: 'interleaved', repeats: 4 } },
    })
    expect(opinion.comparisons[0]?.comparison.rows[0]?.metric).toBe('countedTps')
    expect(rig.deps.store.sessions.find(opinion.sessionId)).toMatchObject({ owner: linkOwner.id, labId: 'bench' })
    // A second opinion does not ask for a second opinion itself.
    expect(rig.deps.store.runs.open()).toEqual([])
    expect(rig.deps.store.runs.page({ limit: 10 })).toHaveLength(2)
  })

  it('reuses the session that the person has there', async () => {
    const rig = withCounted()
    const session = await openSession(rig.deps, { labId: 'bench', testbed: counted, owner: linkOwner.id })
    const runs = [await perform(rig, four, { opinion: true }), await perform(rig, four, { opinion: true })]
    for (const { id } of runs) expect((await ended(rig, id)).sessionId).toBe(session.id)
  })

  it('keeps the topology and the owner', async () => {
    const rig = withCounted()
    const { deps } = rig
    const testbed = formatTestbedId({ kind: 'netns', context: 'devices', owner: 'alice' })
    const session = await openSession(deps, { labId: 'bench', testbed, owner: 'alice' })
    const params = { plan: four, opinion: true }
    const { runId } = await deps.scheduler.start(session, { stepId: 'run', params, solve: false })
    await deps.scheduler.settled(runId)
    expect((await ended(rig, runId)).testbed).toBe('counted:devices@alice')
  })

  it('gets none when it fails or is cancelled', async () => {
    const rig = withCounted()
    await rig.deps.testbeds.get(thisMachine)
    rig.fakes[0]?.fail('deploy', new LabError('testbed_gone', 'Gone.', 'Again.'))
    expect(await perform(rig, four, { opinion: true })).toMatchObject({ state: 'failed' })
    const door = rig.fakes[0]?.hold('netperf')
    const { runId } = await start(rig, four, { opinion: true })
    await door?.reached
    rig.deps.scheduler.cancel(runId)
    await rig.deps.scheduler.settled(runId)
    expect(stateOf(rig.deps, runId).state).toBe('cancelled')
    await turn()
    expect(rig.deps.store.runs.page({ limit: 10 })).toHaveLength(2)
    await expect(rig.deps.opinions.ask(runId)).rejects.toMatchObject({ code: 'step_not_ready' })
  })

  it('is asked about when its solve has ended, so that nothing else is measured beside it', async () => {
    const own = { kind: 'experiment', plan: planOf({ repeats: 1 }), repeats: tunable, seconds: tunable } as const
    const [first] = aLab().steps
    const steps = ['one', 'two'].map((id) => ({ ...first, id, title: id, action: own, actionLabel: 'Measure' }))
    const lab = aLab({ steps, needs: [] })
    const rig = withCounted({ labs: [lab] })
    const { deps } = rig
    const session = await openSession(deps, { labId: lab.id, testbed: thisMachine, owner: linkOwner.id })
    const ends: string[] = []
    deps.log.subscribe(({ runId, event: { type } }) => {
      if (type === 'run.started' || type === 'run.ended') ends.push(`${type} ${stateOf(deps, runId).testbed}`)
    })
    const solved = { stepId: 'two', params: { opinion: true }, solve: true }
    const { runId } = await deps.scheduler.start(session, solved)
    await deps.scheduler.settled(runId)
    const runs = deps.store.runs.ofSession(session.id)
    expect(runs.map(({ stepId, state }) => [stepId, state])).toEqual([
      ['one', 'completed'],
      ['two', 'completed'],
    ])
    for (const { id } of runs) expect(await ended(rig, id)).toMatchObject({ state: 'completed' })
    expect(ends.slice(0, 4)).toEqual(['run.started netns', 'run.ended netns', 'run.started netns', 'run.ended netns'])
    expect(ends.filter((one) => one === 'run.ended counted')).toHaveLength(2)
  })

  it('gets none on another testbed', async () => {
    const rig = withCounted()
    const session = await findOrOpenSession(rig.deps, { labId: 'bench', testbed: counted, owner: linkOwner.id })
    const params = { plan: four, opinion: true }
    const { runId } = await rig.deps.scheduler.start(session, { stepId: 'run', params, solve: false })
    await rig.deps.scheduler.settled(runId)
    await turn()
    expect(rig.deps.store.runs.page({ limit: 10 })).toHaveLength(1)
    await expect(rig.deps.opinions.ask(runId)).rejects.toMatchObject({ code: 'step_not_ready' })
  })
})

describe('a second opinion', () => {
  it('is as short as the counted machine allows, and without a budget or a CPU to choose', async () => {
    const rig = withCounted()
    const budget = { widthPercent: 90, seconds: 60 }
    const plan = planOf({ repeats: 2, seconds: 3, budget })
    const run = await perform(rig, plan, { opinion: true, settings: { 'cpu-placement': 'one-cpu' } })
    const { plan: there } = await ended(rig, run.id)
    expect(run.plan?.arms[0]?.settings).toMatchObject({ 'cpu-placement': 'one-cpu' })
    expect(there?.design).toMatchObject({ seconds: 1, repeats: 4, budget: null })
    expect(there?.arms.map(({ settings }) => Object.keys(settings))).not.toContain('cpu-placement')
  })

  it('can be cancelled, and asked for again', async () => {
    const machine = createFakeTestbed('counted', { counted: true })
    const door = machine.hold('netperf')
    const rig = withCounted({}, machine)
    const run = await perform(rig, four, { opinion: true })
    const { runId } = await rig.deps.opinions.ask(run.id)
    await door.reached
    expect(await rig.deps.opinions.ask(run.id)).toMatchObject({ runId })
    rig.deps.scheduler.cancel(runId)
    await rig.deps.scheduler.settled(runId)
    expect(opinionOn(rig, run.id)).toMatchObject({ id: runId, state: 'cancelled' })
    const again = await ended(rig, run.id)
    expect(again).toMatchObject({ state: 'completed' })
    expect(opinionOn(rig, run.id)?.id).toBe(again.id)
    // Asked for once more, it is the same.
    expect((await rig.deps.opinions.ask(run.id)).runId).toBe(again.id)
  })

  it('fails with the machine’s own problem, and the experiment keeps its result', async () => {
    const machine = createFakeTestbed('counted', { counted: true })
    machine.fail('set', new LabError('testbed_unavailable', 'No kernel is packed.', 'Pack one.'))
    const rig = withCounted({}, machine)
    const run = await perform(rig, four, { opinion: true })
    expect(await ended(rig, run.id)).toMatchObject({ state: 'failed', problem: { code: 'testbed_unavailable' } })
    expect(stateOf(rig.deps, run.id)).toMatchObject({ state: 'completed', outcome: { passed: true } })
  })

  it('waits in the queue like any run, also through a restart of the server', async () => {
    const data = dataDir()
    const machine = createFakeTestbed('counted', { counted: true })
    const door = machine.hold('netperf')
    const rig = withCounted({ data }, machine)
    // Another person measures on a counted machine, and both share its turn.
    const bobs = testbedId.parse('counted@bob')
    const session = await openSession(rig.deps, { labId: 'bench', testbed: bobs, owner: 'bob' })
    await rig.deps.scheduler.start(session, { stepId: 'run', params: { plan: four }, solve: false })
    await door.reached
    const run = await perform(rig, four, { opinion: true })
    const { runId, queue } = await rig.deps.opinions.ask(run.id)
    expect(queue).toMatchObject({ place: 1 })
    expect(opinionOn(rig, run.id)).toMatchObject({ state: 'queued' })
    await rig.deps.close()

    const next = withCounted({ data })
    await next.deps.scheduler.settled(runId)
    expect(opinionOn(next, run.id)).toMatchObject({ id: runId, state: 'completed' })
  })

  it('can be asked for after a restart that came before it began', async () => {
    const data = dataDir()
    const rig = withCounted({ data })
    const run = await perform(rig, four)
    expect(opinionOn(rig, run.id)).toBeNull()
    await rig.deps.close()
    const next = withCounted({ data })
    expect(await ended(next, run.id)).toMatchObject({ state: 'completed', params: { opinionOf: run.id } })
  })

  it('is one for each of thirty people, one after the other', async () => {
    const rig = withCounted()
    const { deps } = rig
    const names = Array.from({ length: 30 }, (_, number) => `n${number}`)
    const runs = await Promise.all(
      names.map(async (owner) => {
        const testbed = testbedId.parse(`netns@${owner}`)
        const session = await openSession(deps, { labId: 'bench', testbed, owner })
        const params = { plan: planOf({ repeats: 1 }), opinion: true }
        return (await deps.scheduler.start(session, { stepId: 'run', params, solve: false })).runId
      }),
    )
    for (const id of runs) await deps.scheduler.settled(id)
    const opinions = await Promise.all(runs.map((id) => ended(rig, id)))
    expect(opinions.map(({ state, testbed }) => [state, testbed])).toEqual(
      names.map((name) => ['completed', `counted@${name}`]),
    )
    const ids = new Set(opinions.map(({ id }) => id))
    const turns = deps.log.since(0, 100_000).flatMap(({ runId, event: { type } }) => {
      return ids.has(runId) && (type === 'run.started' || type === 'run.ended') ? [type] : []
    })
    // Each second opinion starts when the one before has ended.
    expect(turns).toEqual(names.flatMap(() => ['run.started', 'run.ended']))
  })
})

describe('the routes', () => {
  it('ask for it, and name it', async () => {
    const api = await openApi({ counted: () => createFakeTestbed(undefined, { counted: true }) })
    const run = await perform(api, four)
    const path = `/api/runs/${run.id}/opinion`
    expect(read(await api.get(path), 200, opinionResponse)).toEqual({ runId: null })
    const { runId } = read(await api.post(path), 202, runAccepted)
    await api.deps.scheduler.settled(runId)
    expect(read(await api.get(path), 200, opinionResponse)).toEqual({ runId })
    expect(refused(await api.get('/api/runs/r_00000000/opinion'), 404).code).toBe('not_found')
    expect(refused(await api.post(`/api/runs/${runId}/opinion`), 409).code).toBe('step_not_ready')
  })

  it('refuse a link that a client makes up', async () => {
    const api = await openApi()
    const run = await perform(api, four)
    const body = { params: { plan: four, opinionOf: run.id }, solve: false }
    expect(refused(await api.post(`/api/sessions/${run.sessionId}/steps/run/run`, body), 400).code).toBe('bad_request')
  })

  it('keep others out', async () => {
    const { server, hers, his, viewer } = await classroom({
      counted: () => createFakeTestbed(undefined, { counted: true }),
    })
    const { scheduler } = server.deps
    const session = await hers.begins('bench')
    const run = await hers.read(runAccepted, `/api/sessions/${session.id}/steps/run/run`, 202, {
      params: { plan: four, opinion: true },
    })
    await scheduler.settled(run.runId)
    const path = `/api/runs/${run.runId}/opinion`
    const { runId } = await hers.read(runAccepted, path, 202, {})
    await scheduler.settled(runId)
    expect(await hers.read(opinionResponse, path)).toEqual({ runId })
    expect(await his.tries(path)).toEqual([404, 'not_found'])
    expect(await his.tries(path, {})).toEqual([404, 'not_found'])
    expect(await viewer.tries(path)).toEqual([404, 'not_found'])
    expect(await viewer.tries(path, {})).toEqual([403, 'not_allowed'])
    expect(server.deps.store.runs.find(runId)).toMatchObject({ person: 'alice', testbed: 'counted@alice' })
  })
})
