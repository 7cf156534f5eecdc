/** A step that a person has done outside of Expresslane, as with kubectl on a cluster: Restore undoes it, too. */
import { thisMachine } from '@expresslane/shared/testbed/id'
import { expect, it } from 'vitest'
import type { CallContext } from '../../src/testbeds/testbed.ts'
import { beginSession, openRig, runStep, stateOf } from '../support/deps.ts'
import { bigTcp } from '../support/runs/settings.ts'

const context: CallContext = { signal: new AbortController().signal, emit: () => {} }

it('restores the settings of the session’s first reading, not those that a later reading found changed', async () => {
  const { deps, fakes } = openRig()
  await deps.testbeds.get(thisMachine)
  const [fake] = fakes
  if (fake === undefined) throw new Error('no testbed was made')
  const session = await beginSession(deps)
  await runStep(deps, session, 'verify-off')
  for (const round of [1, 2]) {
    await fake.set(bigTcp({ ipv4: true }), context)
    await runStep(deps, session, 'verify-off')
    const { runId } = await deps.scheduler.start(session, { stepId: 'enable', params: { byHand: true }, solve: false })
    await deps.scheduler.settled(runId)
    expect(stateOf(deps, runId).outcome, `round ${round}`).toMatchObject({ passed: true })
    expect((await runStep(deps, session, 'restore')).outcome).toMatchObject({ passed: true })
    expect((await fake.read(context)).settings).toMatchObject(bigTcp({ ipv4: false }))
  }
})
