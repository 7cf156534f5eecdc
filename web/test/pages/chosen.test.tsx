// @vitest-environment happy-dom
/** A reader's choices on a page: the page's address keeps them, and a link restores them. */
import type { RunEvent } from '@expresslane/shared/run/events'
import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { ended, logged, measured, repeatStarted, runOf, started } from '@expresslane/shared/test/builders'
import { openPage, type Answer } from './open-page.tsx'

function answer(id: string, events: readonly RunEvent[]): Answer {
  const all = logged([started(), ...events, ended], 1, id)
  return { body: { run: runOf(all), events: all } }
}

const [before, after] = ['r_00000001', 'r_00000002']

/** Repeats with these transactions per second. */
const repeats = (...tps: number[]): RunEvent[] =>
  tps.flatMap((each, index) => [
    repeatStarted(index + 1),
    { type: 'measurement.taken', measurement: measured({ repeat: index + 1, values: { tps: each } }) },
  ])

const stream = { tool: 'iperf3', omitSeconds: 0, intervalSeconds: 1 } as const
const streams: RunEvent[] = [1, 2].flatMap((repeat): RunEvent[] => [
  repeatStarted(repeat, { benchmark: stream }),
  ...[1, 2, 3].map((at): RunEvent => {
    const values = { throughput: (10 * repeat + at) * 1e9, retransmits: 0, cwnd: 500_000 }
    return { type: 'sample.taken', repeat, sample: { atSeconds: at, seconds: 1, omitted: false, values } }
  }),
])

const valueOf = (label: string): string => screen.getByLabelText<HTMLSelectElement>(label).value
const REPEAT = 'Values of a single repeat'

describe('a link to a chosen', () => {
  const compared = {
    [`GET /api/runs/${before}`]: answer(before, repeats(10_000, 10_100, 10_200)),
    [`GET /api/runs/${after}`]: answer(after, repeats(12_000, 12_345, 12_300)),
  }

  it('dot of a comparison shows its values, and another choice is in the address', async () => {
    openPage(`/compare?a=${before}&b=${after}&dot=on.2`, compared)
    await screen.findByLabelText(REPEAT)
    expect(valueOf(REPEAT)).toBe('on.2')
    expect(screen.getByText('12,345 TPS')).toBeTruthy()
    await userEvent.selectOptions(screen.getByLabelText(REPEAT), 'off.3')
    expect(await screen.findByText('10,200 TPS')).toBeTruthy()
    expect(screen.queryByText('12,345 TPS')).toBeNull()
    expect(location.search).toBe(`?a=${before}&b=${after}&dot=off.3`)
    await userEvent.selectOptions(screen.getByLabelText(REPEAT), '')
    expect(location.search).toBe(`?a=${before}&b=${after}`)
  })

  it('dot that the comparison does not have shows none', async () => {
    openPage(`/compare?a=${before}&b=${after}&dot=on.4`, compared)
    await screen.findByLabelText(REPEAT)
    expect(valueOf(REPEAT)).toBe('')
  })

  it('sample shows its repeat, with the sample in the chart and in the table', async () => {
    openPage(`/runs/${before}?sample=1.1`, { [`GET /api/runs/${before}`]: answer(before, streams) })
    const table = within(await screen.findByRole('region', { name: 'Samples' }))
    expect(valueOf('Stream')).toBe('1')
    const chosen = () => document.querySelector('tr[data-chosen=true]')?.textContent ?? ''
    expect(chosen()).toContain('1.0–2.0 s')
    expect(chosen()).toContain('12')
    const dots = () =>
      [...document.querySelectorAll('circle[data-chosen]')].map((one) => one.getAttribute('data-chosen'))
    expect(dots()).toEqual(['false', 'true', 'false'])
    await userEvent.click(table.getByRole('button', { name: /2\.0–3\.0/ }))
    expect(location.search).toBe('?sample=1.2')
    expect(dots()).toEqual(['false', 'false', 'true'])
  })

  it('sample of a repeat that is not there marks none, and a choice keeps the place on the page', async () => {
    openPage(`/runs/${before}?sample=9.1#main`, { [`GET /api/runs/${before}`]: answer(before, streams) })
    const table = within(await screen.findByRole('region', { name: 'Samples' }))
    expect(valueOf('Stream')).toBe('')
    expect(document.querySelector('[data-chosen=true]')).toBeNull()
    await userEvent.click(table.getByRole('button', { name: /2\.0–3\.0/ }))
    expect(`${location.search}${location.hash}`).toBe('?sample=2.2#main')
  })
})
