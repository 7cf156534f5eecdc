/** Two real netns testbeds in one server: the pods of one are not the other's, and neither are its settings. */
import { formatTestbedId, thisMachine } from '@expresslane/shared/testbed/id'
import { hasPassed } from '@expresslane/shared/run/run-state'
import { expect, it, onTestFinished } from 'vitest'
import { openDeps } from '../../src/deps.ts'
import { openSession } from '../../src/runs/coordination/sessions.ts'
import { dataDir, stateOf, testConfig } from '../support/deps.ts'

it('carries out a step on each at once', async () => {
  const deps = openDeps(testConfig(dataDir()))
  onTestFinished(() => deps.close())
  const begun = { labId: 'big-tcp-ipv4', owner: 'owner' }
  const alices = formatTestbedId({ kind: 'netns', context: null, owner: 'alice' })
  const sessions = await Promise.all([thisMachine, alices].map((testbed) => openSession(deps, { ...begun, testbed })))
  const request = { stepId: 'deploy', params: {}, solve: false }
  const runs = await Promise.all(sessions.map((session) => deps.scheduler.start(session, request)))
  await Promise.all(runs.map(({ runId }) => deps.scheduler.settled(runId)))
  const states = runs.map(({ runId }) => stateOf(deps, runId))
  expect(states.map((state) => [state.testbed, state.problem, hasPassed(state)])).toEqual([
    ['netns', null, true],
    ['netns@alice', null, true],
  ])
  expect(new Set(states.map(({ incarnation }) => incarnation)).size).toBe(2)

  const [shared, hers] = sessions
  if (shared === undefined || hers === undefined) throw new Error('a session is missing')
  const reset = await deps.scheduler.reset(shared)
  await deps.scheduler.settled(reset.runId)
  const views = await Promise.all([thisMachine, alices].map((id) => deps.status.view(id, false)))
  expect(views.map(({ problem }) => problem)).toEqual([null, null])
  expect(views.map(({ datapath }) => datapath?.placement === null)).toEqual([true, false])
})
