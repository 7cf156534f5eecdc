/** A solve on a testbed whose steps take seconds does at the same time what can be done so; a step by hand does not. */
import { LabError } from '@expresslane/shared/base/errors'
import { expect, it } from 'vitest'
import { beginSession, openRig, runStep, stateOf } from '../support/deps.ts'
import { testClock } from '../support/clock.ts'
import { createFakeTestbed, type Door } from '../support/fakes/fake-testbed.ts'

function openSlow() {
  const clock = testClock()
  const fake = createFakeTestbed('slow', { slow: true })
  fake.at = clock.now()
  const { deps } = openRig({ clock, fakes: [fake] })
  const runs = (session: { id: Parameters<typeof deps.store.runs.ofSession>[0] }) =>
    deps.store.runs.ofSession(session.id).map(({ id }) => stateOf(deps, id))
  return { deps, fake, clock, runs }
}

/** The calls that change the testbed. */
const changesOf = (passed: readonly Door[]): Door[] =>
  passed.filter((door) => ['set', 'deploy', 'switchAndDeploy', 'remove'].includes(door))

it('replaces the pods while it switches, and the deploy step takes them over', async () => {
  const { deps, fake, runs } = openSlow()
  const session = await beginSession(deps)
  await runStep(deps, session, 'measure-on', true)
  expect(changesOf(fake.passed)).toEqual(['deploy', 'switchAndDeploy'])
  const done = runs(session)
  expect(done.map(({ outcome }) => outcome?.passed)).toEqual(done.map(() => true))
  const sentenceOf = (id: string) => done.find(({ stepId }) => stepId === id)?.outcome?.sentence
  expect(sentenceOf('read-switched')).toBe(
    'Nodes and pods have the same size. Solve has already replaced the pods, while the agents restarted.',
  )
  // The deploy step checks the new pods' own sizes.
  const redeployed = done.find(({ stepId }) => stepId === 'redeploy')
  expect(redeployed?.placement).not.toBeNull()
  expect(redeployed?.outcome?.observations.map(({ label }) => label)).toEqual(
    expect.arrayContaining([expect.stringContaining('pod1')]),
  )
})

it('does not read twice what no step has changed, and reads again after two seconds', async () => {
  const { deps, fake } = openSlow()
  const session = await beginSession(deps)
  await runStep(deps, session, 'read-off', true)
  const reads = () => fake.passed.filter((door) => door === 'read').length
  // Two readings: one before the deploy, and one after it for both steps that check the path.
  expect(reads()).toBe(2)

  const late = openSlow()
  late.clock.advance(2001)
  await runStep(late.deps, await beginSession(late.deps), 'read-off', true)
  expect(late.fake.passed.filter((door) => door === 'read')).toHaveLength(3)
})

it('by hand it switches first, reads the old pods, and deploys then', async () => {
  const { deps, fake } = openSlow()
  const session = await beginSession(deps)
  await runStep(deps, session, 'baseline', true)
  fake.passed.length = 0
  await runStep(deps, session, 'enable')
  const between = await runStep(deps, session, 'read-switched')
  expect(between.outcome).toMatchObject({
    passed: true,
    sentence: 'The nodes have the new size and the pods still have the old one.',
  })
  await runStep(deps, session, 'redeploy')
  expect(changesOf(fake.passed)).toEqual(['set', 'deploy'])
})

it('a solve that ends before the deploy leaves the pods, and one that begins after the switch creates them', async () => {
  const { deps, fake } = openSlow()
  const session = await beginSession(deps)
  await runStep(deps, session, 'read-switched', true)
  expect(changesOf(fake.passed)).toEqual(['deploy', 'set'])
  const last = await runStep(deps, session, 'redeploy', true)
  expect(last.outcome?.passed).toBe(true)
  expect(changesOf(fake.passed)).toEqual(['deploy', 'set', 'deploy'])
})

it('a switch that fails ends the solve with its error', async () => {
  const { deps, fake } = openSlow()
  const session = await beginSession(deps)
  fake.fail('switchAndDeploy', new LabError('agent_refused', 'It refused.', 'Fix it.'))
  await runStep(deps, session, 'measure-on', true)
  const last = deps.store.runs.ofSession(session.id).at(-1)
  expect(last).toMatchObject({ stepId: 'enable', state: 'failed', result: { problem: { code: 'agent_refused' } } })
})

it('an experiment switches and deploys each arm at once', async () => {
  const { deps, fake } = openSlow()
  const session = await beginSession(deps, 'how-big')
  const plan = deps.findLab('how-big')?.steps.find(({ action }) => action?.kind === 'experiment')
  expect(plan).toBeDefined()
  await runStep(deps, session, plan?.id ?? '')
  expect(new Set(changesOf(fake.passed))).toEqual(new Set(['switchAndDeploy']))
})
