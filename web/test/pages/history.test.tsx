// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { openPage, refusal } from './open-page.tsx'

const aRun = {
  id: 'r_00000001',
  sessionId: 's_00000001',
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

describe('the history', () => {
  it('shows that there are no runs yet, and where to start', async () => {
    openPage('/history')
    expect(await screen.findByText('No runs yet')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'a lab' }).getAttribute('href')).toBe('/')
    expect(screen.queryByRole('table')).toBeNull()
  })

  it('shows that no run matches the filter', async () => {
    const page = openPage('/history', { 'GET /api/runs': { body: { runs: [aRun], next: null } } })
    expect(await screen.findByRole('link', { name: 'Check the testbed' })).toBeTruthy()
    page.answer('GET /api/runs', { body: { runs: [], next: null } })
    await userEvent.click(screen.getByRole('checkbox', { name: 'Measurements only' }))
    expect(await screen.findByText('No runs match the filter')).toBeTruthy()
    expect(screen.queryByText('No runs yet')).toBeNull()
  })

  it('does not look empty while it loads', async () => {
    openPage('/history', { 'GET /api/runs': 'pending' })
    expect(await screen.findByRole('heading', { name: 'History' })).toBeTruthy()
    expect(screen.queryByText('No runs yet')).toBeNull()
    expect(screen.queryByRole('table')).toBeNull()
  })

  it('shows a problem with its command and what the system said, and tries again', async () => {
    const page = openPage('/history', {
      'GET /api/runs': refusal(500, {
        code: 'data_unwritable',
        message: 'The history can not be read.',
        remedy: 'Give it back to its owner.',
        remedyCommand: 'sudo chown user expresslane.db',
        detail: 'EACCES: permission denied',
      }),
    })
    const alert = await screen.findByRole('alert')
    for (const words of ['The history can not be read.', 'Give it back', 'sudo chown', 'EACCES', 'data_unwritable']) {
      expect(alert.textContent).toContain(words)
    }
    page.answer('GET /api/runs', { body: { runs: [aRun], next: null } })
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByRole('table')).toBeTruthy()
  })
})
