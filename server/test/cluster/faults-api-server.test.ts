/**
 * The API server stands still or is cut off, and pods vanish, while the lab is at work. Switching is held to the
 * same in switch.test.ts.
 */
import { setTimeout } from 'node:timers/promises'
import type { RunEvent } from '@expresslane/shared/run/events'
import { hasPassed, type RunState } from '@expresslane/shared/run/run-state'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { dataDir } from '../support/deps.ts'
import {
  canFault,
  ciliumConfig,
  fault,
  kubectl,
  NAMESPACE,
  netperfIn,
  podsOf,
  putBack,
  removeNamespace,
  untilGone,
  untilHeardOf,
  untilWell,
} from './support/kubectl.ts'
import { clusterEnv, expectPassed, startLabServer, type LabServer } from './support/lab-server.ts'
import { pairOf } from '../support/runs/pair.ts'

const PAUSE_MS = 20_000
const short = { params: { repeats: 1, seconds: 1 } }
/** Nobody waits for its end: on a busy machine the fault alone takes half a minute. */
const long = { params: { repeats: 1, seconds: 120 } }

let before: Readonly<Record<string, string>>
beforeAll(async () => {
  before = await ciliumConfig()
  await untilGone(NAMESPACE)
})
afterEach(async () => {
  await untilWell()
  await untilHeardOf()
  await putBack(before)
})
afterAll(() => removeNamespace(NAMESPACE))

const sampled = (event: RunEvent): boolean => event.type === 'sample.taken'
const typed = (part: string) => (event: RunEvent) => event.type === 'command.started' && event.typed.includes(part)

async function pause(): Promise<void> {
  await fault('E2E_API_PAUSE')
  try {
    await setTimeout(PAUSE_MS)
  } finally {
    await fault('E2E_API_RESUME')
  }
}

/** A run may pass, end with the error's code, or report the values that could not be read, and why. */
function expectPassedOrTold(run: RunState): void {
  if (hasPassed(run)) return
  if (run.problem !== null) {
    expect(['cluster_unreachable', 'exec_dropped'], JSON.stringify(run.problem)).toContain(run.problem.code)
    return
  }
  const wrong = run.outcome?.observations.filter(({ ok }) => !ok) ?? []
  expect(wrong.length, run.outcome?.sentence).toBeGreaterThan(0)
  for (const { label, seen } of wrong) expect(seen, label).toMatch(/^unknown: /)
}

async function deployed(): Promise<{ server: LabServer; session: string; run: RunState }> {
  const server = await startLabServer(await clusterEnv(dataDir()))
  const session = await server.session()
  const run = await server.run(session, 'deploy')
  expectPassed(run)
  return { server, session, run }
}

/** The next measurement works, alone in its pod. */
async function expectMeasures(server: LabServer, session: string, pod: string): Promise<void> {
  await server.begin(session, 'baseline', { params: { repeats: 1, seconds: 3 } })
  await server.event(session, 'baseline', sampled)
  expect(await netperfIn(pod)).toHaveLength(1)
  expectPassed(await server.ended(session, 'baseline'))
  expect(await netperfIn(pod)).toEqual([])
}

describe.skipIf(!canFault)('the API server stands still for 20 s', () => {
  it('during a deploy: it succeeds or reports an error, and the next one works', async () => {
    const server = await startLabServer(await clusterEnv(dataDir()))
    const session = await server.session()
    await server.begin(session, 'deploy')
    await server.event(session, 'deploy', typed('apply'))
    await pause()
    expectPassedOrTold(await server.ended(session, 'deploy'))
    expectPassed(await server.run(session, 'deploy'))
    expect((await podsOf(NAMESPACE)).size).toBe(2)
  })

  it('in the middle of a measurement: no sample is lost, and the next one works', async () => {
    const { server, session, run } = await deployed()
    await server.begin(session, 'baseline', { params: { repeats: 1, seconds: 10 } })
    await server.event(session, 'baseline', sampled)
    await pause()
    const measured = await server.ended(session, 'baseline')
    expectPassedOrTold(measured)
    expect(measured.repeats[0]?.samples.length).toBeGreaterThan(0)
    await untilHeardOf()
    await expectMeasures(server, session, pairOf(run.placement).client.name ?? '')
  })
})

describe.skipIf(!canFault)('the API server is cut off', () => {
  it('while netperf runs: it is reported, and the next measurement runs alone in its pod', async () => {
    const { server, session, run } = await deployed()
    const pod = pairOf(run.placement).client.name ?? ''
    await server.begin(session, 'baseline', long)
    await server.event(session, 'baseline', sampled)
    await fault('E2E_API_CUT')
    try {
      const { problem } = await server.ended(session, 'baseline')
      expect(['cluster_unreachable', 'exec_dropped']).toContain(problem?.code)
      expect(problem?.remedy).not.toBe('')
    } finally {
      await fault('E2E_API_HEAL')
    }
    expect(await netperfIn(pod), 'netperf outlived its socket').toHaveLength(1)
    await expectMeasures(server, session, pod)
  })
})

describe('a netperf pod is deleted in mid-run', () => {
  it.each(['client', 'server'] as const)('the %s: it is reported, and Solve creates new ones', async (role) => {
    const { server, session, run } = await deployed()
    const old = await podsOf(NAMESPACE)
    await server.begin(session, 'baseline', long)
    await server.event(session, 'baseline', sampled)
    await kubectl('-n', NAMESPACE, 'delete', 'pod', pairOf(run.placement)[role].name)
    const { state, problem } = await server.ended(session, 'baseline')
    expect([state, problem?.code]).toEqual(['failed', 'testbed_gone'])
    expectPassed(await server.run(session, 'baseline', { ...short, solve: true }))
    for (const [name, uid] of await podsOf(NAMESPACE)) expect(old.get(name)).not.toBe(uid)
  })
})
