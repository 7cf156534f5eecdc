/** People on testbeds of their own on one machine, whose runs wait for each other. */
import type { RunId } from '@expresslane/shared/run/events'
import { testbedId } from '@expresslane/shared/testbed/id'
import type { Session } from '@expresslane/shared/wire/protocol'
import { expect } from 'vitest'
import type { Deps } from '../../../src/deps.ts'
import { openSession } from '../../../src/runs/coordination/sessions.ts'
import { runStep, type Rig } from '../deps.ts'
import type { FakeTestbed } from '../fakes/fake-testbed.ts'

const LAB = 'big-tcp-ipv4'
const request = (stepId: string, solve = false) => ({ stepId, params: { repeats: 1, seconds: 1 }, solve })

/** A person's own testbed on this machine, by name, and a session there. */
export async function comes(rig: Rig, owner: string, testbed = `netns@${owner}`) {
  const before = rig.fakes.length
  const session = await openSession(rig.deps, { labId: LAB, testbed: testbedId.parse(testbed), owner })
  await rig.deps.testbeds.get(session.testbed)
  const fake = rig.fakes[before] ?? rig.fakes.at(-1)
  if (fake === undefined) throw new Error('no testbed was made')
  return { session, fake }
}

/** The same, with pods: the next measurement can be taken. */
export async function comesReady(rig: Rig, owner: string) {
  const one = await comes(rig, owner)
  await runStep(rig.deps, one.session, 'read-off', true)
  return one
}

export async function threeReady(rig: Rig) {
  return [await comesReady(rig, 'alice'), await comesReady(rig, 'bob'), await comesReady(rig, 'carol')] as const
}

export async function ask(deps: Deps, session: Session, stepId: string, solve = false) {
  return deps.scheduler.start(session, request(stepId, solve))
}

/** Starts a measurement that goes on until its door is opened. */
export async function measures({ deps }: Rig, { session, fake }: { session: Session; fake: FakeTestbed }) {
  const door = fake.hold('netperf')
  const { runId, queue } = await ask(deps, session, 'baseline')
  expect(queue).toBeNull()
  await door.reached
  return { runId, door }
}

export function startedIn({ log }: Deps, ids: readonly RunId[]): RunId[] {
  const started = log.since(0, 10_000).flatMap(({ runId, event }) => (event.type === 'run.started' ? [runId] : []))
  return started.filter((id) => ids.includes(id))
}

export function placesOf({ log }: Deps, id: RunId): number[] {
  return log
    .since(0, 10_000)
    .flatMap(({ runId, event }) => (runId === id && event.type === 'run.queued' ? [event.place] : []))
}

export const settle = ({ scheduler }: Deps, ids: readonly RunId[]) =>
  Promise.all(ids.map((id) => scheduler.settled(id)))

/** No two runs that measured on this machine overlap. */
export function expectOneAtATime({ log }: Deps): void {
  const measuring = new Set<RunId>()
  for (const { runId, event } of log.since(0, 100_000)) {
    if (event.type === 'run.started' && event.stepId === 'baseline') measuring.add(runId)
    if (event.type === 'run.ended') measuring.delete(runId)
    expect(measuring.size).toBeLessThan(2)
  }
}
