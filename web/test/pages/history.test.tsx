// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react'
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

const aHead = {
  id: 's_00000001',
  labId: 'big-tcp-ipv4',
  testbed: 'netns',
  createdAt: Date.UTC(2026, 10, 26, 12),
  verdict: {
    metric: 'tps',
    changePercent: 12.44,
    verdict: 'improved',
    comparisons: 1,
    improved: 1,
    worse: 0,
    sentence: 'That is faster.',
  },
}

describe('the history', () => {
  it('shows that there are no runs yet, and where to start', async () => {
    openPage('/history')
    expect(await screen.findByText('No runs yet')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'a lab' }).getAttribute('href')).toBe('/')
    expect(screen.queryByRole('table')).toBeNull()
  })

  it('shows that no run matches the filter', async () => {
    const page = openPage('/history', { 'GET /api/runs': { body: { runs: [aRun], next: null, sessions: [aHead] } } })
    expect(await screen.findByRole('link', { name: 'Check the testbed' })).toBeTruthy()
    page.answer('GET /api/runs', { body: { runs: [], next: null, sessions: [] } })
    await userEvent.click(screen.getByRole('checkbox', { name: 'Measurements only' }))
    expect(await screen.findByText('No runs match the filter')).toBeTruthy()
    expect(screen.queryByText('No runs yet')).toBeNull()
  })

  it('does not say that a step passed that was left out', async () => {
    openPage('/history', {
      'GET /api/runs': { body: { runs: [{ ...aRun, leftOut: true }], next: null, sessions: [aHead] } },
    })
    expect(await screen.findByText('left out')).toBeTruthy()
    expect(screen.queryByText('passed')).toBeNull()
  })

  it('groups runs by session, with where it was and its verdict', async () => {
    const elsewhere = { ...aHead, id: 's_00000002', testbed: 'counted:forwarder', verdict: null }
    const runs = [{ ...aRun, id: 'r_00000003' }, { ...aRun, id: 'r_00000002', sessionId: elsewhere.id }, aRun]
    openPage('/history', { 'GET /api/runs': { body: { runs, next: null, sessions: [aHead, elsewhere] } } })
    const texts = (await screen.findAllByRole('rowheader')).map(({ textContent }) => textContent ?? '')
    expect(texts).toHaveLength(5)
    expect(texts[0]).toMatch(/^BIG TCP over IPv4this machine · 26 Nov 2026, \d\d:00.*12\.4 % faster$/)
    expect(texts.slice(1, 3)).toEqual(['Check the testbed', 'Check the testbed'])
    expect(texts[3]).toContain('the counted machine')
    expect(texts[3]).not.toContain('%')
  })

  it('lists playbacks of recordings only after “Show playbacks” is checked', async () => {
    const page = openPage('/history')
    await screen.findByText('No runs yet')
    expect(page.queries('/api/runs')).toEqual(['recorded=false'])
    await userEvent.click(screen.getByRole('checkbox', { name: 'Show playbacks' }))
    await waitFor(() => expect(page.queries('/api/runs')).toEqual(['recorded=false', '']))
    expect(await screen.findByText('No runs yet')).toBeTruthy()
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
    page.answer('GET /api/runs', { body: { runs: [aRun], next: null, sessions: [aHead] } })
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByRole('table')).toBeTruthy()
  })
})

const data = {
  directory: '/srv/expresslane',
  bytes: 85_200_000,
  freeBytes: 12_000_000_000,
  runs: 1234,
  since: Date.UTC(2026, 9, 1, 12),
  keep: { days: 365, bytes: 4_000_000_000, recentDays: 30, beginsAt: 0 },
  damaged: [],
  problem: null,
}
const aside = {
  file: '/srv/expresslane/expresslane.db.damaged-20261122T084500Z',
  at: Date.UTC(2026, 10, 22),
  bytes: 4096,
}
const full = {
  code: 'data_full' as const,
  message: 'The disk is full.',
  remedy: 'Free some space.',
  remedyCommand: null,
  detail: null,
}

describe('the size of the history', () => {
  it('is shown with what to do about it', async () => {
    openPage('/history', { 'GET /api/data': { body: data } })
    const size = await screen.findByRole('region', { name: 'Size of the history' })
    for (const words of ['1,234 runs since 1 Oct 2026', '85.2 MB on the disk', '12 GB free', '/srv/expresslane']) {
      expect(size.textContent).toContain(words)
    }
    for (const command of ['prune --older-than 30d', 'prune --keep 1000', 'vacuum', 'backup']) {
      expect(size.textContent).toContain(`npm run data -- ${command}`)
    }
  })

  it.each([
    [
      {},
      'Sessions that were not used for 365 days are removed, and the oldest while the history takes over 4 GB. Those of the last 30 days stay.',
    ],
    [{ bytes: null }, 'Sessions that were not used for 365 days are removed.'],
    [
      { days: null, beginsAt: Date.UTC(2099, 0, 1, 12) },
      'The oldest sessions are removed while the history takes over 4 GB. Those of the last 30 days stay. This begins on 1 Jan 2099',
    ],
    [{ days: null, bytes: null }, 'The server removes nothing from it by itself.'],
  ])('comes with what is removed, and how to keep all: %j', async (keep, words) => {
    openPage('/history', { 'GET /api/data': { body: { ...data, keep: { ...data.keep, ...keep } } } })
    const size = await screen.findByRole('region', { name: 'Size of the history' })
    expect(size.textContent).toContain(words)
    expect(size.textContent).toContain('EXPRESSLANE_KEEP_DAYS=0 EXPRESSLANE_KEEP_MB=0 npm start')
  })

  it('is not asked for by a participant', async () => {
    const me = { id: 'alice', role: 'participant', name: 'Alice', workshop: false, mostSeconds: null }
    const page = openPage('/history', { 'GET /api/me': { body: me } })
    expect(await screen.findByText('No runs yet')).toBeTruthy()
    expect(page.asked).not.toContain('GET /api/data')
    expect(screen.queryByRole('region', { name: 'Size of the history' })).toBeNull()
  })

  it('warns where little is free', async () => {
    openPage('/history', { 'GET /api/data': { body: { ...data, freeBytes: 300_000_000 } } })
    expect(await screen.findByText('Only 300 MB are free on the disk')).toBeTruthy()
  })
})

describe('a damaged database that was moved aside', () => {
  it.each(['/', '/history'])('is named at %s, where the history is missed', async (address) => {
    openPage(address, { 'GET /api/data': { body: { ...data, damaged: [aside] } } })
    expect(await screen.findByText('The history begins again: its database was damaged')).toBeTruthy()
    expect(screen.getByText(aside.file)).toBeTruthy()
  })
})

describe('a store that takes nothing', () => {
  it.each(['/', '/history', `/runs/${aRun.id}`])('is named at %s with its remedy, until it does', async (address) => {
    const page = openPage(address, { [`GET /api/runs/${aRun.id}`]: 'pending' })
    page.send({ type: 'store', problem: full })
    const alert = await screen.findByRole('alert')
    for (const words of ['Nothing can be stored now', 'The disk is full.', 'Free some space.', 'data_full']) {
      expect(alert.textContent).toContain(words)
    }
    page.send({ type: 'store', problem: null })
    await waitFor(() => expect(screen.queryByText('Nothing can be stored now')).toBeNull())
  })
})
