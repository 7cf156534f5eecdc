/** The work of a room's server does not grow with the people and testbeds that a run does not concern: counted, not timed. */
import { abouts } from '@expresslane/shared/features/abouts'
import { runId, type RunId } from '@expresslane/shared/run/events'
import { testbedId, thisMachine } from '@expresslane/shared/testbed/id'
import type { StreamFrame } from '@expresslane/shared/wire/stream'
import { describe, expect, it, vi } from 'vitest'
import type { Principal } from '../../src/access/principal.ts'
import { LOOK_EVERY_MS } from '../../src/classroom/idle.ts'
import type { Deps } from '../../src/deps.ts'
import { HOLDERS_EVERY_MS } from '../../src/routes/stream.ts'
import { endRun } from '../../src/runs/coordination/run.ts'
import { testClock } from '../support/clock.ts'
import { beginSession, openRig, runStep } from '../support/deps.ts'
import { classroom } from '../support/http/people.ts'
import { greeted } from '../support/http/stream-client.ts'
import { startedRun } from '../support/runs/runs.ts'

const PEOPLE = 20

const named = (number: number): RunId => runId.parse(`r_${String(number).padStart(8, '0')}`)
const testbedOf = (number: number) => testbedId.parse(`netns@p${number}`)

/** Runs of so many people, each on a testbed of their own. */
function begin({ store, log }: Deps, people = PEOPLE, stepId = 'preflight'): void {
  for (let one = 1; one <= people; one += 1) startedRun(store, log, named(one), { testbed: testbedOf(one), stepId })
}

function end(deps: Deps, id: RunId): void {
  const parts = { ...deps, quota: { count: async () => {}, require: () => {}, follow: () => () => {} } }
  deps.log.together((append) => endRun(parts, append, id, { state: 'completed', problem: null }))
}

const holdersOf = (frames: readonly StreamFrame[]) => frames.filter((frame) => frame.type === 'holders')

describe('a run that starts', () => {
  it('is looked at by the streams of people who may watch its testbed, and no others', async () => {
    const { server, hers, his } = await classroom()
    const streams = [hers.stream(), his.stream()]
    await Promise.all(streams.map((stream) => stream.until(greeted)))
    const asked = vi.spyOn(server.deps.reach, 'holders')
    const { store, log } = server.deps
    startedRun(store, log, named(1), { testbed: testbedId.parse('netns@alice'), stepId: 'preflight' })
    expect(asked.mock.calls.map(([{ id }]) => id)).toEqual(['alice'])
  })

  it('is sent with those that start right after it to somebody who sees all, and the last state always comes', async () => {
    const clock = testClock()
    const { server, instructor } = await classroom({ clock })
    const stream = instructor.stream()
    await stream.until(greeted)
    const asked = vi.spyOn(server.deps.reach, 'holders')
    begin(server.deps)
    expect(asked).toHaveBeenCalledTimes(1)
    clock.advance(HOLDERS_EVERY_MS - 1)
    expect(asked).toHaveBeenCalledTimes(1)
    clock.advance(1)
    expect(asked).toHaveBeenCalledTimes(2)
    await stream.until((frames) => holdersOf(frames).at(-1)?.holders.length === PEOPLE)
    expect(holdersOf(stream.frames).map(({ holders }) => holders.length)).toEqual([0, 1, PEOPLE])
  })

  it('makes no list of the testbeds of everybody else', () => {
    const { deps } = openRig()
    begin(deps)
    const listed = vi.spyOn(abouts, 'all')
    const somebody: Principal = { id: 'p1', role: 'participant', name: 'One' }
    expect(deps.reach.holders(somebody).map(({ testbed }) => testbed)).toEqual([testbedOf(1)])
    expect(listed).toHaveBeenCalledTimes(1)
  })
})

describe('the running runs', () => {
  it('are not read from the store for each stream and each reading', () => {
    const { deps } = openRig()
    const { status, reach, store, runningRuns } = deps
    const read = [vi.spyOn(store.runs, 'running'), vi.spyOn(store.runs, 'runningOn')]
    begin(deps, 2, 'baseline')
    const [first, second] = [testbedOf(1), testbedOf(2)]
    expect([runningRuns.on(first)?.id, runningRuns.on(second)?.id]).toEqual([named(1), named(2)])
    expect([status.quiet(first), status.quiet(thisMachine)]).toEqual([true, true])
    end(deps, named(1))
    expect([runningRuns.on(first), runningRuns.all().map(({ id }) => id)]).toEqual([null, [named(2)]])
    end(deps, named(2))
    expect([status.quiet(first), status.quiet(thisMachine)]).toEqual([false, false])
    expect(reach.holders({ id: 'p1', role: 'participant', name: 'One' })).toEqual([])
    for (const one of read) expect(one).not.toHaveBeenCalled()
  })

  it('are not all read to start one, to end it, and to show the board', async () => {
    const { deps } = openRig({ clock: testClock() })
    begin(deps)
    const { runs, holds } = deps.store
    const all = [vi.spyOn(runs, 'open'), vi.spyOn(runs, 'running'), vi.spyOn(holds, 'all')]
    const run = await runStep(deps, await beginSession(deps), 'preflight')
    expect(run.state).toBe('completed')
    expect(deps.room.view().queue).toEqual({ paused: false, running: [], waiting: [] })
    for (const one of all) expect(one).not.toHaveBeenCalled()
  })

  it('are read once when idle testbeds are looked for', async () => {
    const clock = testClock()
    const { deps } = openRig({ clock })
    for (let one = 1; one <= PEOPLE; one += 1) await deps.testbeds.get(testbedOf(one))
    const read = vi.spyOn(deps.store.runs, 'open')
    clock.advance(LOOK_EVERY_MS)
    expect(read).toHaveBeenCalledTimes(1)
  })
})
