/** The events of several repeats in one step, also when a later repeat does not come to an end. */
import { LabError } from '@expresslane/shared/base/errors'
import type { RunEvent, RunId } from '@expresslane/shared/run/events'
import { takenIn } from '@expresslane/shared/run/run-state'
import { describe, expect, it } from 'vitest'
import { openRig, stateOf, type Rig } from '../../support/deps.ts'
import { comesReady } from '../../support/runs/queue.ts'

const OF_A_REPEAT = new Set<RunEvent['type']>(['repeat.started', 'sample.taken', 'measurement.taken'])

/** Starts three repeats of a step that measures one arm, and waits in the middle of the first. */
async function threeRepeats() {
  const rig = openRig()
  const { session, fake } = await comesReady(rig, 'alice')
  const door = fake.hold('netperf')
  const params = { repeats: 3, seconds: 1 }
  const { runId } = await rig.deps.scheduler.start(session, { stepId: 'baseline', params, solve: false })
  await door.reached
  return { rig, fake, door, runId }
}

function eventsOf({ deps }: Rig, id: RunId): RunEvent[] {
  return deps.store.events.ofRun(id).map(({ event }) => event)
}

/** By measurement: its repeat, whether its event has the fingerprint, and the earlier repeat that has it. */
function printedIn(events: readonly RunEvent[]) {
  return events.flatMap((event) =>
    event.type === 'measurement.taken'
      ? [[event.measurement.repeat, event.measurement.fingerprint !== null, event.fingerprintOf]]
      : [],
  )
}

describe('the repeats of a step', () => {
  it('each start, sample and end in turn, and have their common fingerprint once', async () => {
    const { rig, door, runId } = await threeRepeats()
    door.open()
    await rig.deps.scheduler.settled(runId)
    const events = eventsOf(rig, runId)
    const one = ['repeat.started', ...Array.from({ length: 4 }, () => 'sample.taken'), 'measurement.taken']
    expect(events.map(({ type }) => type).filter((type) => OF_A_REPEAT.has(type))).toEqual([...one, ...one, ...one])
    expect(printedIn(events)).toEqual([
      [1, true, undefined],
      [2, false, 1],
      [3, false, 1],
    ])
    const prints = takenIn(stateOf(rig.deps, runId)).map(({ fingerprint }) => fingerprint)
    expect(prints[0]?.kernel).toBe('6.18.0')
    expect(prints).toEqual([prints[0], prints[0], prints[0]])
  })

  it.each(['cancelled', 'failed'] as const)(
    'stay when a later repeat is %s, which has no measurement',
    async (ends) => {
      const { rig, fake, door, runId } = await threeRepeats()
      if (ends === 'failed') {
        fake.fail('netperf', new LabError('tool_failed', 'netperf ended.', 'Run the step again.'))
        door.open()
      } else {
        const second = fake.hold('netperf')
        door.open()
        await second.reached
        rig.deps.scheduler.cancel(runId)
      }
      await rig.deps.scheduler.settled(runId)
      const state = stateOf(rig.deps, runId)
      expect(state).toMatchObject({ state: ends, outcome: null })
      expect(state.repeats.map(({ repeat, measurement }) => [repeat, measurement?.fingerprint?.kernel])).toEqual([
        [1, '6.18.0'],
        [2, undefined],
      ])
    },
  )
})
