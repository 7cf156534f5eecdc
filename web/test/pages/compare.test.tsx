// @vitest-environment happy-dom
import type { RunEvent } from '@expresslane/shared/run/events'
import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { ended, logged, measured, repeatStarted, runOf, started } from '@expresslane/shared/test/builders'
import { openPage, refusal } from './open-page.tsx'

const [before, after] = ['r_00000001', 'r_00000002']

/** A run as the server answers it, of a baseline that was measured once, or not at all. */
function answer(id: string, measures: boolean) {
  const measurement: RunEvent[] = [repeatStarted(), { type: 'measurement.taken', measurement: measured() }]
  const events = logged([started(), ...(measures ? measurement : []), ended], 1, id)
  return { body: { run: runOf(events), events } }
}

describe('the compare page', () => {
  it('says where to pick two measurements when the address names none', async () => {
    openPage('/compare')
    expect(await screen.findByText('Select two measurements')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'the history' }).getAttribute('href')).toBe('/history')
  })

  it('says which run is missing', async () => {
    openPage(`/compare?a=${before}&b=${after}`, {
      [`GET /api/runs/${before}`]: answer(before, true),
      [`GET /api/runs/${after}`]: refusal(404, { code: 'not_found', message: `There is no run ${after}.` }),
    })
    expect((await screen.findByRole('alert')).textContent).toContain(`There is no run ${after}.`)
  })

  it('waits for both', async () => {
    openPage(`/compare?a=${before}&b=${after}`, {
      [`GET /api/runs/${before}`]: answer(before, true),
      [`GET /api/runs/${after}`]: 'pending',
    })
    expect(await screen.findByText('Loading')).toBeTruthy()
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('shows that one of the two has no measurement', async () => {
    openPage(`/compare?a=${before}&b=${after}`, {
      [`GET /api/runs/${before}`]: answer(before, true),
      [`GET /api/runs/${after}`]: answer(after, false),
    })
    expect(await screen.findByText('Nothing to compare')).toBeTruthy()
    expect(screen.queryByRole('alert')).toBeNull()
  })
})
