// @vitest-environment happy-dom
import { aLab, aSession } from '@expresslane/shared/test/builders'
import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { openPage } from './open-page.tsx'

const session = { id: aSession, labId: 'big-tcp-ipv4', testbed: 'netns', owner: 'owner', createdAt: 1 }
const labs = [aLab(), aLab({ id: 'packets', title: 'See the packets' })]
const aRun = {
  id: 'r_00000001',
  sessionId: aSession,
  labId: 'big-tcp-ipv4',
  stepId: 'preflight',
  testbed: 'netns',
  state: 'completed',
  startedAt: 1,
  endedAt: 2,
  passed: true,
  measured: null,
  problem: null,
}
const answers = {
  'GET /api/labs': { body: { labs, problems: [], testbeds: ['netns'] } },
  'GET /api/sessions': { body: { sessions: [{ ...session, lastRunAt: 1, passedSteps: [], verdict: null }] } },
  'GET /api/runs': { body: { runs: [aRun], next: null, sessions: [] } },
  [`GET /api/sessions/${aSession}`]: { body: { session, runs: [], incarnation: 'one', seq: 0 } },
}

async function open(address: string) {
  openPage(address, answers)
  await screen.findByRole('button', { name: /^Go to/ })
  await userEvent.keyboard('{Control>}k{/Control}')
  const input = await screen.findByRole('combobox', { name: 'Lab, step, page, action or run' })
  // A browser does that when the dialog opens.
  input.focus()
  return input
}

const list = () => within(screen.getByRole('listbox', { name: 'Found' }))
const options = () =>
  list()
    .queryAllByRole('option')
    .map(({ textContent }) => textContent)
const selected = () => list().getByRole('option', { selected: true })

describe('the command palette', () => {
  it('finds labs, pages, actions and runs by their words, and marks the chosen one', async () => {
    const input = await open('/history')
    await waitFor(() => expect(options()).toContain('Check the testbed, BIG TCP over IPv4, 1 Jan 1970, 00:00 Past run'))
    expect(options()).toEqual(expect.arrayContaining(['See the packets Lab', 'Bench Page', 'Switch to dark Action']))
    expect(options().some((text) => text?.endsWith('Step'))).toBe(false)
    await userEvent.type(input, 'lab SEE')
    expect(options()).toEqual(['See the packets Lab'])
    expect(input.getAttribute('aria-activedescendant')).toBe(selected().id)
    await userEvent.type(input, ' nowhere')
    expect(options()).toEqual([])
    expect(screen.getByText('Nothing has these words.')).toBeTruthy()
  })

  it('opens a step of the lab with the arrow keys, and leaves the keys of the lab alone', async () => {
    await open(`/labs/big-tcp-ipv4/sessions/${aSession}/preflight`)
    expect(selected().textContent).toBe('Why packets grow Step')
    await userEvent.keyboard('{ArrowDown}{ArrowDown}')
    expect(selected().textContent).toBe('Summary of this lab Page')
    await userEvent.keyboard('{ArrowUp}{ArrowUp}{ArrowUp}')
    expect(selected()).toBe(list().getAllByRole('option').at(-1))
    await userEvent.keyboard('{ArrowDown}{Enter}')
    expect(await screen.findByRole('heading', { level: 2, name: 'Why packets grow' })).toBeTruthy()
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('continues a lab that was begun, and shows another on the start page', async () => {
    const input = await open('/bench')
    await userEvent.type(input, 'big tcp lab{Enter}')
    await waitFor(() => expect(location.pathname).toBe(`/labs/big-tcp-ipv4/sessions/${aSession}`))
    await userEvent.click(screen.getByRole('button', { name: /^Go to/ }))
    await userEvent.type(await screen.findByRole('combobox', { name: /^Lab, step/ }), 'packets lab')
    await userEvent.click(selected())
    await waitFor(() => expect(location.pathname + location.hash).toBe('/#lab-packets'))
  })

  it('switches the colours', async () => {
    const input = await open('/history')
    const before = document.documentElement.dataset['colorScheme']
    await userEvent.type(input, 'switch to{Enter}')
    expect(document.documentElement.dataset['colorScheme']).not.toBe(before)
    expect(screen.queryByRole('dialog')).toBeNull()
    localStorage.clear()
  })
})
