// @vitest-environment happy-dom
/** A step that the testbed can't do: its heading on its page, on a slide, for followers, and on the page of its run. */
import type { Outcome, RunEvent } from '@expresslane/shared/run/events'
import { aLab, aSession, ended, logged, runOf, started } from '@expresslane/shared/test/builders'
import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { StoreContext } from '../../src/api/live.tsx'
import { FollowPage } from '../../src/follow/index.ts'
import { aTalk } from '../talk.ts'
import { openPage } from './open-page.tsx'

const outcome: Outcome = { passed: true, leftOut: true, sentence: 'BPF needs root here.', observations: [], hint: null }
const events: RunEvent[] = [started({ stepId: 'preflight' }), { type: 'step.checked', outcome }, ended]
const run = runOf(logged(events))
const session = { id: aSession, labId: 'big-tcp-ipv4', testbed: 'netns', owner: 'owner', createdAt: 1 }
const talk = aTalk({ stepId: 'preflight' })
const answers = {
  [`GET /api/sessions/${aSession}`]: { body: { session, runs: [run], incarnation: 'one', seq: 3 } },
  [`GET /api/runs/${run.id}`]: { body: { run } },
  'GET /api/presentation': { body: { presentation: talk } },
}
const address = `/labs/big-tcp-ipv4/sessions/${aSession}/preflight`

describe('a step that is left out', () => {
  it('is not headed as passed on its page, nor in the list of steps', async () => {
    openPage(address, answers)
    expect(await screen.findByText('Left out')).toBeTruthy()
    expect(screen.getByText('BPF needs root here.')).toBeTruthy()
    expect(screen.getAllByText('left out').length).toBeGreaterThan(0)
    expect(screen.queryByText('Passed')).toBeNull()
    expect(screen.queryByText('passed')).toBeNull()
  })

  it('is not headed as passed on the page of its run', async () => {
    openPage(`/runs/${run.id}`, answers)
    expect(await screen.findByText('Left out')).toBeTruthy()
    expect(screen.getByText('left out')).toBeTruthy()
    expect(screen.queryByText('Passed')).toBeNull()
  })

  it('is not headed as passed on a slide', async () => {
    openPage(`${address}?present`, answers).send({ type: 'presentation', presentation: talk })
    expect(await screen.findByText('Left out.')).toBeTruthy()
    expect(screen.queryByText('Passed.')).toBeNull()
  })

  it('is not headed as passed for followers', async () => {
    const page = openPage(
      '/follow',
      { ...answers, 'GET /api/labs': { body: { labs: [aLab()], problems: [], testbeds: [] } } },
      {
        show: (store) => (
          <StoreContext.Provider value={store}>
            <FollowPage />
          </StoreContext.Provider>
        ),
      },
    )
    page.send({ type: 'presentation', presentation: talk })
    expect(await screen.findByText('Left out')).toBeTruthy()
    expect(screen.queryByText('Passed')).toBeNull()
  })
})
