// @vitest-environment happy-dom
/** A feature that no file of the page knows: its metric and its tool are on the run's page, in the history and compared. */
import type { Feature } from '@expresslane/shared/features/feature'
import { screen, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { METRIC, TOOL } from '../../../shared/test/features/naps.ts'
import { events } from '../../../shared/test/features/naps-run.ts'
import { logged, runOf } from '@expresslane/shared/test/builders'
import { openPage } from './open-page.tsx'

vi.mock('@expresslane/shared/features/registry', async (original) => {
  const { features } = await original<{ features: readonly Feature[] }>()
  return { features: [...features, (await import('../../../shared/test/features/naps.ts')).naps] }
})

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
    openPage('/history', { ...answers, 'GET /api/runs': { body: { runs: [line], next: null } } })
    expect(await screen.findByText('22 naps a minute')).toBeTruthy()
  })

  it('is compared, arm by arm', async () => {
    openPage(`/compare?a=${run.id}.awake.sofa&b=${run.id}.napping.sofa`, answers)
    expect(await screen.findByText(/^Naps on a sofa \(nap loop\)\.|^Naps on a sofa\./)).toBeTruthy()
  })
})
