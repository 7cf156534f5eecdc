/** A testbed whose start takes seconds and memory is not started by looking at it. */
import { setImmediate as turn } from 'node:timers/promises'
import { thisMachine } from '@expresslane/shared/testbed/id'
import type { LiveFrame } from '@expresslane/shared/wire/stream'
import { expect, test } from 'vitest'
import { LIVE_EVERY_MS } from '../../src/runs/live/watch.ts'
import { passed } from '../../src/testbeds/check.ts'
import { testClock } from '../support/clock.ts'
import { openRig } from '../support/deps.ts'
import { createFakeTestbed } from '../support/fakes/fake-testbed.ts'

function resting() {
  const state = { atRest: true }
  const checks = async () => [passed('engine', 'The engine is installed', 'It is here.')]
  const fake = Object.assign(createFakeTestbed(), { rest: { isNow: () => state.atRest, checks } })
  const clock = testClock()
  return { ...openRig({ clock, fakes: [fake] }), fake, state, clock }
}

test('a page shows what can be checked without it; asked for, all of it is checked', async () => {
  const { deps, fake, state } = resting()
  const seen = await deps.status.view(thisMachine, false)
  expect(seen).toMatchObject({ facts: null, datapath: null, problem: null, preflight: [{ id: 'engine' }] })
  expect(fake.passed).toEqual([])
  const { preflight } = await deps.status.view(thisMachine, true)
  expect(preflight.map(({ id }) => id)).toEqual(['kernel'])
  // The found checks stay known.
  expect((await deps.status.view(thisMachine, false)).preflight.map(({ id }) => id)).toEqual(['engine', 'kernel'])
  state.atRest = false
  expect((await deps.status.view(thisMachine, false)).datapath).not.toBeNull()
})

test('the path of a testbed is followed while it runs, and empty before and after', async () => {
  const { deps, fake, state, clock } = resting()
  const frames: LiveFrame[] = []
  const unsubscribe = deps.live.subscribe((frame) => void frames.push(frame))
  const round = async (): Promise<void> => {
    clock.advance(LIVE_EVERY_MS)
    for (let turns = 0; turns < 5; turns += 1) await turn()
  }
  await round()
  expect([fake.passed.includes('read'), frames.at(-1)?.datapath]).toEqual([false, null])
  state.atRest = false
  await round()
  expect(frames.at(-1)?.datapath).not.toBeNull()
  state.atRest = true
  await round()
  expect(frames.at(-1)).toMatchObject({ datapath: null, problem: null })
  unsubscribe()
})
