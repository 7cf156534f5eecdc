// @vitest-environment happy-dom
/** A feature that no file of the page knows: its metric and its tool are on the run's page, in the history and compared. */
import { abouts } from '@expresslane/shared/features/abouts'
import { features } from '@expresslane/shared/features/registry'
import { segmentSize } from '@expresslane/shared/test/features/segment-size'
import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterAll, describe, expect, it } from 'vitest'
import { METRIC, naps, TOOL } from '../../../shared/test/features/naps.ts'
import { napsRun } from '../../../shared/test/features/naps-run.ts'
import { clusterFacts, logged, runOf, testbed as aTestbed } from '@expresslane/shared/test/builders'
import { allExhibits, probing } from '@expresslane/shared/test/exhibits'
import { openPage } from './open-page.tsx'

afterAll(features.register(naps))
afterAll(abouts.register(naps))
afterAll(features.register(segmentSize))
afterAll(abouts.register(segmentSize))
const { events } = napsRun()

const all = logged(events)
const run = runOf(all)
const answers = { [`GET /api/runs/${run.id}`]: { body: { run, events: all } } }

describe('a feature of one’s own', () => {
  it('is shown on the run’s page by its own metric, with its verdict', async () => {
    openPage(`/runs/${run.id}`, answers)
    const table = await screen.findByRole('region', { name: 'Comparison' })
    expect(within(table).getByRole('rowheader', { name: /^Naps/ })).toBeTruthy()
    expect(within(table).getByText('22 naps a minute')).toBeTruthy()
    expect(screen.getByText(/That is sleepier/)).toBeTruthy()
  })

  it('shows what its probe found', async () => {
    const found = logged(probing(allExhibits, 'pulse'))
    const probed = runOf(found)
    openPage(`/runs/${probed.id}`, { [`GET /api/runs/${probed.id}`]: { body: { run: probed, events: found } } })
    for (const { title } of allExhibits) expect(await screen.findByText(title)).toBeTruthy()
  })

  it('is offered by the Bench, with its setting and its tool', async () => {
    const facts = clusterFacts([], { kind: 'netns', name: 'This machine', kernel: '6.18', cluster: null })
    openPage('/bench', { 'GET /api/testbeds/netns': { body: aTestbed({ facts }) } })
    await userEvent.selectOptions(await screen.findByLabelText('Feature'), 'Segment size')
    expect(screen.getByLabelText<HTMLSelectElement>('Tool').value).toBe('segment-probe')
    const arm = screen.getByRole('group', { name: /^Arm 2/ })
    await userEvent.selectOptions(within(arm).getByLabelText('Segment limit'), '1,000 bytes')
    expect(within(arm).getByText('Segments of 1000')).toBeTruthy()
  })

  it('is in the history by its median', async () => {
    const { id, sessionId, labId, stepId, testbed, state, startedAt, endedAt } = run
    const measured = { arms: ['napping'], family: 'ipv4', repeats: 4, tool: TOOL, values: { [METRIC]: 22 } }
    const line = {
      id,
      sessionId,
      labId,
      stepId,
      testbed,
      state,
      startedAt,
      endedAt,
      passed: true,
      measured,
      problem: null,
    }
    openPage('/history', { ...answers, 'GET /api/runs': { body: { runs: [line], next: null, sessions: [] } } })
    expect(await screen.findByText('22 naps a minute')).toBeTruthy()
  })

  it('is compared, arm by arm', async () => {
    openPage(`/compare?a=${run.id}.awake.sofa&b=${run.id}.napping.sofa`, answers)
    expect(await screen.findByText(/^Naps on a sofa \(nap loop\)\.|^Naps on a sofa\./)).toBeTruthy()
  })
})
