/** The labs of two arms put back the limit and the MTU that an experiment has left set. */
import { thisMachine } from '@expresslane/shared/testbed/id'
import { describe, expect, it } from 'vitest'
import type { CallContext } from '../../src/testbeds/testbed.ts'
import { beginSession, openRig, runStep, stateOf } from '../support/deps.ts'
import { bigTcp } from '../support/runs/settings.ts'
import { limited } from '../support/runs/experiments.ts'

const context: CallContext = { signal: new AbortController().signal, emit: () => {} }

/** A testbed on which an experiment has left BIG TCP on, with a limit and an MTU. */
async function leftSet() {
  const rig = openRig()
  await rig.deps.testbeds.get(thisMachine)
  const [fake] = rig.fakes
  if (fake === undefined) throw new Error('no testbed was made')
  await fake.set(bigTcp({ ipv4: true, limit: 131_072, mtu: 9_000 }), context)
  return { ...rig, fake, session: await beginSession(rig.deps) }
}

describe('a limit and an MTU that an experiment has left set', () => {
  it('are reported if everything must be off, and can be turned off', async () => {
    const { deps, fake, session } = await leftSet()
    await fake.set(bigTcp({ ipv4: false }), context)
    const seen = await runStep(deps, session, 'verify-off')
    expect(seen.outcome).toMatchObject({ passed: false })
    expect(seen.outcome?.observations.filter(({ ok }) => !ok).map((one) => one.seen)).toEqual([
      '131,072 bytes',
      '9,000 bytes',
    ])
    const { runId } = await deps.scheduler.start(session, {
      stepId: 'verify-off',
      params: { switchOff: true },
      solve: false,
    })
    await deps.scheduler.settled(runId)
    expect(stateOf(deps, runId).outcome).toMatchObject({ passed: true })
    expect(await fake.read(context)).toMatchObject({ settings: bigTcp({ limit: null, mtu: null }) })
  })

  it('are reset when BIG TCP is switched on', async () => {
    const { deps, fake, session } = await leftSet()
    expect((await runStep(deps, session, 'enable')).outcome).toMatchObject({ passed: true })
    expect(await fake.read(context)).toMatchObject({ settings: bigTcp({ ipv4: true, limit: null, mtu: null }) })
  })

  it('are reset by Restore', async () => {
    const { deps, fake, session } = await leftSet()
    expect((await runStep(deps, session, 'restore')).outcome).toMatchObject({ passed: true })
    expect(await fake.read(context)).toMatchObject({ settings: bigTcp({ ipv4: true, limit: null, mtu: null }) })
  })

  it('are reset by a reset', async () => {
    const { deps, fake, session } = await leftSet()
    const { runId } = await deps.scheduler.reset(session)
    await deps.scheduler.settled(runId)
    expect(stateOf(deps, runId).state).toBe('completed')
    expect(await fake.read(context)).toMatchObject({ settings: bigTcp({ ipv4: true, limit: null, mtu: null }) })
  })

  it('are not sent to a testbed that can’t set them', async () => {
    const { deps, fake, session } = await leftSet()
    const asked: unknown[] = []
    const { set } = fake
    Object.assign(fake, {
      settable: ['big-tcp-ipv4'],
      primitives: limited(['packets-ipv4']).primitives,
      set(change: unknown, ...rest: [CallContext]) {
        asked.push(change)
        return set(bigTcp({ ipv4: true }), ...rest)
      },
    })
    await runStep(deps, session, 'enable')
    expect(asked).toEqual([bigTcp({ ipv4: true })])
  })
})
