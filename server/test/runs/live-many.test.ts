/** Live readings for a room: what the end of a run and of a subscription cost, counted. */
import { setImmediate as turn } from 'node:timers/promises'
import { runId } from '@expresslane/shared/run/events'
import { testbedId } from '@expresslane/shared/testbed/id'
import { epochMs } from '@expresslane/shared/base/units'
import { describe, expect, it } from 'vitest'
import type { Deps } from '../../src/deps.ts'
import { LIVE_EVERY_MS } from '../../src/runs/live/watch.ts'
import { testClock } from '../support/clock.ts'
import { openRig } from '../support/deps.ts'
import { startedRun } from '../support/runs/runs.ts'

describe('many people with testbeds of their own', () => {
  const PEOPLE = 10
  const testbedOf = (number: number) => testbedId.parse(`netns@p${number}`)

  async function many() {
    const clock = testClock()
    const rig = openRig({ clock })
    const { testbeds, live } = rig.deps
    for (let one = 1; one <= PEOPLE; one += 1) await testbeds.get(testbedOf(one))
    let asked = 0
    const leave = Array.from({ length: PEOPLE }, (_, at) =>
      live.subscribe(
        () => {},
        (testbed) => {
          asked += 1
          return testbed === testbedOf(at + 1)
        },
      ),
    )
    await turn()
    const reads = () => rig.fakes.map(({ passed }) => passed.filter((door) => door === 'read').length)
    /** How often somebody was asked for a testbed since the last call. */
    const questions = () => {
      const count = asked
      asked = 0
      return count
    }
    questions()
    return { ...rig, clock, leave, questions, reads }
  }

  function run({ store, log }: Deps, name: string, stepId: string): void {
    const id = runId.parse(name)
    startedRun(store, log, id, { testbed: testbedOf(PEOPLE), stepId })
    store.holds.release(id)
    store.runs.end(id, 'completed', epochMs.parse(2), { passed: null, measured: null, problem: null })
    log.append(id, { type: 'run.ended', state: 'completed', problem: null })
  }

  it('are read after the end of another person’s measurement, and not after any other run', async () => {
    const { deps, questions, reads } = await many()
    const before = reads()
    run(deps, 'r_00000001', 'preflight')
    await turn()
    // Who wants the run's testbed, and who gets its frame.
    expect(questions()).toBeLessThanOrEqual(2 * PEOPLE)
    expect(reads().slice(0, -1)).toEqual(before.slice(0, -1))
    run(deps, 'r_00000002', 'baseline')
    await turn()
    expect(reads().map((count, at) => count > (before[at] ?? 0))).toEqual(before.map(() => true))
  })

  it('cost one question each when one of them leaves, whose testbed is then not read', async () => {
    const { deps, leave, questions, reads, clock } = await many()
    leave[0]?.()
    expect(questions()).toBe(PEOPLE - 1)
    const before = reads()
    clock.advance(LIVE_EVERY_MS)
    await turn()
    expect(reads().map((count, at) => count - (before[at] ?? 0))).toEqual(before.map((_, at) => (at === 0 ? 0 : 1)))
    await deps.live.close()
  })
})
