/** A participant's testbed closes when nobody uses it. */
import { setImmediate as turn } from 'node:timers/promises'
import { testbedId, thisMachine } from '@expresslane/shared/testbed/id'
import { describe, expect, it } from 'vitest'
import type { Principal } from '../../src/access/principal.ts'
import { LOOK_EVERY_MS } from '../../src/classroom/idle.ts'
import { openSession } from '../../src/runs/coordination/sessions.ts'
import { testClock } from '../support/clock.ts'
import { openRig } from '../support/deps.ts'

const MINUTE_MS = 60_000
const alices = testbedId.parse('netns@alice')
const alice: Principal = { id: 'alice', role: 'participant', name: 'Alice' }
const silent = { principal: alice, close: () => {} }

async function room() {
  const clock = testClock()
  const { deps, fakes } = openRig({ clock })
  await deps.testbeds.get(thisMachine)
  const session = await openSession(deps, { labId: 'big-tcp-ipv4', testbed: alices, owner: 'alice' })
  const [, hers] = fakes
  if (hers === undefined) throw new Error('no testbed was made')
  return {
    deps,
    hers,
    session,
    async minutes(count: number): Promise<void> {
      clock.advance(count * MINUTE_MS + LOOK_EVERY_MS)
      await turn()
    },
  }
}

describe('a testbed with an owner', () => {
  it('closes after 15 minutes without a run or a page; the next use makes a new one', async () => {
    const { deps, hers, minutes } = await room()
    await minutes(14)
    expect(deps.testbeds.made()).toContain(alices)
    await minutes(1)
    expect(deps.testbeds.made()).toEqual([thisMachine])
    expect(hers.passed).toContain('close')
    await deps.testbeds.get(alices)
    await minutes(14)
    expect(deps.testbeds.made()).toContain(alices)
  })

  it('stays while its owner has a page open, and for 15 minutes after', async () => {
    const { deps, minutes } = await room()
    const leave = deps.presence.enter(silent)
    const other = deps.presence.enter(silent)
    leave()
    await minutes(60)
    expect(deps.testbeds.made()).toContain(alices)
    other()
    await minutes(13)
    expect(deps.testbeds.made()).toContain(alices)
    await minutes(2)
    expect(deps.testbeds.made()).not.toContain(alices)
  })

  it('stays while a run is running there', async () => {
    const { deps, hers, session, minutes } = await room()
    const door = hers.hold('preflight')
    const { runId } = await deps.scheduler.start(session, { stepId: 'preflight', params: {}, solve: false })
    await door.reached
    await minutes(20)
    expect(deps.testbeds.made()).toContain(alices)
    door.open()
    await deps.scheduler.settled(runId)
    await minutes(16)
    expect(deps.testbeds.made()).not.toContain(alices)
  })
})

describe('the presence', () => {
  it('reports who comes and who leaves, and closes all streams of one', async () => {
    const { presence } = openRig().deps
    const news: string[] = []
    const unsubscribe = presence.subscribe((id) => news.push(`${id} ${presence.isOnline(id) ? 'on' : 'off'}`))
    const closed: number[] = []
    const leaves = [1, 2].map(() => presence.enter({ principal: alice, close: (code) => closed.push(code) }))
    expect(presence.count('participant')).toBe(1)
    presence.close('bob', 4003, 'no')
    presence.close('alice', 4003, 'removed')
    expect(closed).toEqual([4003, 4003])
    for (const leave of leaves) leave()
    expect(news).toEqual(['alice on', 'alice off'])
    unsubscribe()
    presence.enter(silent)()
    expect(news).toHaveLength(2)
  })
})
