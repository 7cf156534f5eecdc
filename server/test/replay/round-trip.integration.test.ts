/** Export, import, replay: the same events, of a real session on the netns testbed with an experiment in it. */
import type { LoggedEvent, RunEvent } from '@expresslane/shared/run/events'
import { type ExperimentPlan, experimentPlan } from '@expresslane/shared/measure/experiment'
import { recordingView } from '@expresslane/shared/recordings/recording'
import { runResponse, type Session } from '@expresslane/shared/wire/protocol'
import { hasPassed } from '@expresslane/shared/run/run-state'
import { formatTestbedId, thisMachine } from '@expresslane/shared/testbed/id'
import { expect, it, onTestFinished } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { openDeps, type Deps } from '../../src/deps.ts'
import { openSession } from '../../src/runs/coordination/sessions.ts'
import { dataDir, testConfig } from '../support/deps.ts'
import { runsIn } from '../support/runs/recordings.ts'

const plan: ExperimentPlan = experimentPlan.parse({
  arms: [
    { id: 'off', label: 'without BIG TCP', settings: { 'big-tcp-ipv4': false } },
    { id: 'on', label: 'with BIG TCP', settings: { 'big-tcp-ipv4': true } },
  ],
  cases: [
    {
      id: 'v4',
      label: 'IPv4',
      family: 'ipv4',
      benchmark: { tool: 'tcp-rr', requestBytes: 80_000, responseBytes: 80_000 },
    },
  ],
  design: { order: 'interleaved', repeats: 2, seconds: 1, warmups: 1, budget: null },
})

async function openServer() {
  const deps = openDeps(testConfig(dataDir()))
  onTestFinished(() => deps.close())
  const { server, token } = await buildApp(deps)
  onTestFinished(() => server.close())
  const headers = { host: 'localhost:0', authorization: `Bearer ${token}` }
  return { deps, server, headers }
}

async function run(deps: Deps, session: Session, stepId: string, params: object): Promise<void> {
  const { runId } = await deps.scheduler.start(session, { stepId, params, solve: false })
  await deps.scheduler.settled(runId)
  const state = deps.log.state(runId)
  expect(state?.problem).toBeNull()
  expect(state !== null && hasPassed(state), stepId).toBe(true)
}

function eventsOf({ store }: Deps, session: Session): LoggedEvent[][] {
  return store.runs.ofSession(session.id).map(({ id }) => store.events.ofRun(id))
}

/** The events of each run, without the run's start and end. */
const within = (runs: readonly (readonly RunEvent[])[]): RunEvent[][] => runs.map((events) => events.slice(1, -1))

it('plays a real session unchanged', async () => {
  const there = await openServer()
  const made = await openSession(there.deps, { labId: 'bench', testbed: thisMachine, owner: 'owner' })
  await run(there.deps, made, 'run', { plan, repeats: 2, seconds: 1 })
  await run(there.deps, made, 'restore', {})
  const exported = await there.server.inject({
    url: `/api/sessions/${made.id}/recording`,
    headers: there.headers,
  })
  expect(exported.statusCode).toBe(200)
  expect(exported.headers['content-disposition']).toMatch(/^attachment; filename="expresslane-bench-\d{4}-/)

  const here = await openServer()
  const imported = await here.server.inject({
    method: 'POST',
    url: '/api/recordings',
    headers: { ...here.headers, 'content-type': 'application/json' },
    payload: exported.payload,
  })
  expect(imported.statusCode).toBe(201)
  const { id } = recordingView.parse(imported.json())
  const recorded = formatTestbedId({ kind: 'recording', context: id, owner: null })
  const again = await openSession(here.deps, { labId: 'bench', testbed: recorded, owner: 'owner' })
  await run(here.deps, again, 'run', { speed: 20 })
  await run(here.deps, again, 'restore', { speed: 20 })

  const first = eventsOf(there.deps, made).map((events) => events.map(({ event }) => event))
  const second = eventsOf(here.deps, again).map((events) => events.map(({ event }) => event))
  expect(first.flat().filter(({ type }) => type === 'measurement.taken')).toHaveLength(6)
  expect(within(second)).toEqual(within(first))
  expect(second.map((events) => events.at(-1))).toEqual(first.map((events) => events.at(-1)))

  // A run of its own goes the same way, and the page's fold of it keeps the environment that it was measured in.
  const [replayed] = here.deps.store.runs.ofSession(again.id)
  const { run: state } = runResponse.parse(
    (await here.server.inject({ url: `/api/runs/${replayed?.id ?? ''}`, headers: here.headers })).json(),
  )
  expect(state).toMatchObject({ testbed: recorded, facts: { kind: 'netns' } })
  const [original] = there.deps.store.runs.ofSession(made.id)
  const one = await there.server.inject({ url: `/api/runs/${original?.id ?? ''}/recording`, headers: there.headers })
  expect(runsIn(one.payload).map(({ events }) => events.map(({ event }) => event))).toEqual([first[0]])
})
