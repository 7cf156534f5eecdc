/** Durations stay right while somebody sets the machine's clock. */
import { describe, expect, it } from 'vitest'
import { clockWith } from '../../src/runs/clock.ts'
import { OTHERS_EVERY_MS } from '../../src/runs/coordination/others.ts'
import { createSteadyTime } from '../../src/time.ts'
import { testClock, type TestClock } from '../support/clock.ts'
import { beginSession, openRig, runStep, stateOf, type Rig } from '../support/deps.ts'

const HOUR_MS = 3_600_000
const STEP_SECONDS = 2

/** A machine whose clock can be set, and that can sleep. */
function machine() {
  const passing = testClock()
  let set = 0
  let slept = 0
  const time = createSteadyTime(
    () => passing.now() + set + slept,
    () => passing.now(),
  )
  const clock: TestClock = {
    ...clockWith(time),
    after: (ms, callback) => passing.after(ms, callback),
    advance: (ms) => passing.advance(ms),
  }
  return {
    clock,
    /** The time on the machine's clock. */
    wall: () => passing.now() + set + slept,
    setBy(ms: number) {
      set += ms
    },
    sleep(ms: number) {
      slept += ms
    },
  }
}

type Machine = ReturnType<typeof machine>

/** Runs a step of two seconds, and lets something happen in the middle of it. */
async function stepWith(rig: Rig, { clock }: Machine, what: () => void) {
  const { deps, fakes } = rig
  const session = await beginSession(deps)
  await runStep(deps, session, 'preflight')
  const door = fakes.at(-1)?.hold('deploy')
  if (door === undefined) throw new Error('no testbed was made')
  const { runId } = await deps.scheduler.start(session, { stepId: 'deploy', params: {}, solve: false })
  await door.reached
  const before = clock.now()
  clock.advance((STEP_SECONDS * 1000) / 2)
  what()
  clock.advance((STEP_SECONDS * 1000) / 2)
  const isFollowed = clock.now() - before !== STEP_SECONDS * 1000
  door.open()
  await deps.scheduler.settled(runId)
  return { run: stateOf(deps, runId), session, isFollowed }
}

describe.each([
  ['set an hour ahead', (one: Machine) => one.setBy(HOUR_MS)],
  ['set back an hour', (one: Machine) => one.setBy(-HOUR_MS)],
  ['asleep for an hour', (one: Machine) => one.sleep(HOUR_MS)],
])('a machine that is %s in the middle of a step', (_, happens) => {
  it('changes neither the duration of the step nor what is expected of the next', async () => {
    const here = machine()
    const rig = openRig({ clock: here.clock })
    const { run, session, isFollowed } = await stepWith(rig, here, () => happens(here))
    expect(isFollowed).toBe(false)
    expect((run.endedAt ?? 0) - run.startedAt).toBe(STEP_SECONDS * 1000)
    const lasted = rig.deps.store.runs.durations(session.labId, 'deploy', 'netns')
    expect(lasted.map(({ seconds }) => seconds)).toEqual([STEP_SECONDS])
    const times = rig.deps.log.since(0, 10_000).map(({ at }) => at)
    expect(times).toEqual(times.toSorted((a, b) => a - b))
  })

  it('is followed once no run is open', async () => {
    const here = machine()
    const rig = openRig({ clock: here.clock })
    await stepWith(rig, here, () => happens(here))
    here.clock.advance(OTHERS_EVERY_MS)
    expect(here.clock.now()).toBe(here.wall())
  })
})

it('goes on evenly while the two clocks differ by the time between their readings', () => {
  let ticks = 0
  let wall = 1_000_000
  const time = createSteadyTime(
    () => wall,
    () => ticks,
  )
  ticks += 10.7
  wall += 9
  time.follow()
  expect(time.now()).toBe(1_000_010)
})
