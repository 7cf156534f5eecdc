/** Several testbeds of one kind in one server: each with its own runs, path and frames. */
import { setImmediate as turn } from 'node:timers/promises'
import { formatTestbedId, testbedId, thisMachine } from '@expresslane/shared/testbed/id'
import { testbedView } from '@expresslane/shared/wire/protocol'
import { expect, it } from 'vitest'
import { openSession } from '../../src/runs/coordination/sessions.ts'
import { LIVE_EVERY_MS } from '../../src/runs/live/watch.ts'
import type { LiveFrame } from '@expresslane/shared/wire/stream'
import { openApi, read } from '../support/http/api.ts'
import { testClock } from '../support/clock.ts'
import { beginSession, openRig, runStep, stateOf } from '../support/deps.ts'
import { createFakeTestbed } from '../support/fakes/fake-testbed.ts'

const alices = formatTestbedId({ kind: 'netns', context: null, owner: 'alice' })

it('runs a step on each of two at once, and a third waits for its own', async () => {
  const [shared, hers] = [createFakeTestbed(), createFakeTestbed()]
  const { deps } = openRig({ fakes: [shared, hers] })
  const on = async (id: typeof alices) => openSession(deps, { labId: 'big-tcp-ipv4', testbed: id, owner: 'alice' })
  const [first, second] = [await on(thisMachine), await on(alices)]
  const [one, other] = [shared.hold('preflight'), hers.hold('preflight')]
  const request = { stepId: 'preflight', params: {}, solve: false }
  const runs = [await deps.scheduler.start(first, request), await deps.scheduler.start(second, request)]
  await Promise.all([one.reached, other.reached])
  expect(deps.store.runs.running().map(({ testbed }) => testbed)).toEqual(['netns', 'netns@alice'])
  expect(deps.store.runs.runningOn(alices)?.id).toBe(runs[1]?.runId)
  one.open()
  other.open()
  for (const { runId } of runs) {
    await deps.scheduler.settled(runId)
    expect(stateOf(deps, runId)).toMatchObject({ state: 'completed', outcome: { passed: true } })
  }
  expect(stateOf(deps, runs[0]?.runId ?? '').facts?.incarnation).toBe(shared.id)
  expect(stateOf(deps, runs[1]?.runId ?? '').facts?.incarnation).toBe(hers.id)
})

it('sends the paths of all created testbeds, each by its id', async () => {
  const api = await openApi()
  const { promise, resolve } = Promise.withResolvers<void>()
  const frames = new Map<string, LiveFrame>()
  const leave = api.deps.live.subscribe((frame) => {
    frames.set(frame.testbed, frame)
    if (frames.size === 2) resolve()
  })
  const view = read(await api.get(`/api/testbeds/${alices}`), 200, testbedView)
  expect(view).toMatchObject({ id: 'netns@alice', kind: 'netns', problem: null })
  await promise
  expect(frames.get('netns@alice')?.incarnation).toBe(view.facts?.incarnation)
  expect(frames.get('netns')?.incarnation).not.toBe(view.facts?.incarnation)
  leave()
})

it('does not read the others of this machine while one measures, and reads them again afterwards', async () => {
  const clock = testClock()
  const [shared, hers] = [createFakeTestbed(), createFakeTestbed()]
  const { deps } = openRig({ clock, fakes: [shared, hers] })
  const session = await beginSession(deps)
  await deps.testbeds.get(alices)
  await runStep(deps, session, 'deploy')
  const leave = deps.live.subscribe(() => {})
  const readings = (): number => hers.passed.filter((door) => door === 'read').length
  const round = async (): Promise<void> => {
    clock.advance(LIVE_EVERY_MS)
    await turn()
  }
  await round()
  await round()
  const measuring = shared.hold('netperf')
  const params = { repeats: 1, seconds: 1 }
  const { runId } = await deps.scheduler.start(session, { stepId: 'baseline', params, solve: false })
  await measuring.reached
  const before = readings()
  expect(before).toBeGreaterThan(0)
  for (let rounds = 0; rounds < 3; rounds += 1) await round()
  expect(readings()).toBe(before)
  measuring.open()
  await deps.scheduler.settled(runId)
  await round()
  expect(readings()).toBeGreaterThan(before)
  leave()
})

it('creates at most as many testbeds as participants are let in', async () => {
  const { deps } = openRig()
  for (let number = 0; number < 30; number += 1) await deps.testbeds.get(testbedId.parse(`netns@n${number}`))
  await expect(deps.testbeds.get(alices)).rejects.toMatchObject({ code: 'testbed_unavailable' })
  await deps.testbeds.get(thisMachine)
  await deps.testbeds.renew(testbedId.parse('netns@n0'))
  await deps.testbeds.get(alices)
})
