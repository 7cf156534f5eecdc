// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { epochMs } from '@expresslane/shared/base/units'
import { testbedId } from '@expresslane/shared/testbed/id'
import type { Driver } from '@expresslane/shared/wire/protocol'
import { aLab, aSession, clusterFacts, testbed } from '@expresslane/shared/test/builders'
import { aRecording } from '../recording.ts'
import { openPage, refusal } from './open-page.tsx'

const as = (role: string, over = {}) => ({
  'GET /api/me': {
    body: { id: 'p1', role, name: 'Ada', workshop: true, mostSeconds: role === 'participant' ? 120 : null, ...over },
  },
})

describe('the page of a participant', () => {
  const own = {
    ...as('participant'),
    'GET /api/labs': { body: { labs: [aLab()], problems: [], testbeds: ['netns@p1'] } },
    'GET /api/testbeds/netns@p1': { body: testbed({ id: 'netns@p1' }) },
  }

  it('names the participant, and shows their own testbed', async () => {
    openPage('/', own)
    expect((await screen.findByText('Ada')).parentElement?.textContent).toBe('You are Ada')
    expect(await screen.findByRole('article', { name: 'Own testbed on this machine' })).toBeTruthy()
    expect(screen.queryByRole('link', { name: 'Room' })).toBeNull()
  })

  it('makes a link for another device', async () => {
    const link = 'http://10.0.0.5:7070/j/4f9aGz0LqWm81xTzR2vQ'
    const expiresAt = Date.now() + 3_600_000
    const invitation = { id: 'i1', role: 'participant', createdAt: 1, expiresAt, revokedAt: null, joined: 0 }
    const page = openPage('/', { ...own, 'POST /api/me/link': refusal(429, { message: 'Too many links.' }) })
    await userEvent.click(await screen.findByRole('button', { name: 'Use another device' }))
    const dialog = within(await screen.findByRole('dialog'))
    expect((await dialog.findByRole('alert')).textContent).toContain('Too many links.')
    page.answer('POST /api/me/link', { status: 201, body: { invitation, link } })
    await userEvent.click(dialog.getByRole('button', { name: 'Try again' }))
    expect(await dialog.findByText(link)).toBeTruthy()
    expect(dialog.getByRole('img', { name: 'QR code: your personal link' })).toBeTruthy()
  })

  it('shows the instructor’s latest line until it is closed', async () => {
    const page = openPage('/', own)
    await screen.findByText('Ada')
    page.send({ type: 'message', text: 'Ten minutes left.', at: epochMs.parse(1) })
    await userEvent.click(await screen.findByRole('button', { name: 'Close' }))
    expect(screen.queryByText('Ten minutes left.')).toBeNull()
    page.send({ type: 'message', text: 'Five minutes left.', at: epochMs.parse(2) })
    expect(await screen.findByText('Five minutes left.')).toBeTruthy()
  })

  it('offers no change of what everybody shares', async () => {
    openPage('/', {
      ...own,
      'GET /api/labs': { body: { labs: [aLab()], problems: [], testbeds: ['kubernetes:kind-kind', 'recording'] } },
      'GET /api/testbeds/kubernetes:kind-kind': {
        body: testbed({
          id: 'kubernetes:kind-kind',
          context: 'kind-kind',
          kind: 'kubernetes',
          contexts: [{ name: 'kind-kind', cluster: 'kind-kind', namespace: null, current: true, insecure: false }],
        }),
      },
      'GET /api/testbeds/recording': { body: testbed({ id: 'recording', kind: 'recording', context: 'two' }) },
      'GET /api/recordings': { body: { recordings: [aRecording] } },
    })
    expect(await screen.findByRole('button', { name: 'Play back: A quiet morning' })).toBeTruthy()
    expect(await screen.findByRole('article', { name: 'Cluster kind-kind' })).toBeTruthy()
    expect(screen.queryByText(/How to fix it/)).toBeNull()
    for (const name of [/^Import/, /^Choose:/, /^Remove:/, /^Use this context/]) {
      expect(screen.queryByRole('button', { name })).toBeNull()
    }
  })
})

describe('a cluster that a workshop shares', () => {
  const at = epochMs.parse(Date.now())
  const id = 'kubernetes:kind-kind'
  /** The page, after the server said who drives the cluster. */
  async function openDriven(role: 'participant' | 'instructor', driver: Driver | null) {
    const page = openPage('/', { ...as(role), ...cluster })
    await screen.findByRole('article', { name: 'Cluster kind-kind' })
    const drives = (now: Driver | null) =>
      page.send({ type: 'drivers', drivers: now === null ? [] : [{ testbed: testbedId.parse(id), driver: now }] })
    drives(driver)
    return { ...page, drives }
  }
  const cluster = {
    'GET /api/labs': { body: { labs: [aLab()], problems: [], testbeds: ['kubernetes:kind-kind'] } },
    'GET /api/testbeds/kubernetes:kind-kind': {
      body: testbed({
        id: 'kubernetes:kind-kind',
        kind: 'kubernetes',
        context: 'kind-kind',
        facts: clusterFacts([{ kernel: '6.12', cilium: '1.18.2' }]),
      }),
    },
  }
  const route = 'POST /api/testbeds/kubernetes:kind-kind/driver'
  const bob = { person: 'p2', name: 'Bob', since: at, asked: null }
  const asked = { person: 'p1', name: 'Ada', at }

  it('says who drives it; asking waits for an answer', async () => {
    const page = await openDriven('participant', bob)
    expect(await screen.findByText('Bob')).toBeTruthy()
    page.answer(route, { body: { driver: { ...bob, asked } } })
    await userEvent.click(screen.getByRole('button', { name: 'Ask to take over' }))
    page.drives({ ...bob, asked })
    expect(await screen.findByText(/you can take over/)).toBeTruthy()
    expect(screen.queryByRole('button', { name: /take over/i })).toBeNull()
  })

  it('can be taken over after 60 s without an answer', async () => {
    const long = { ...asked, at: epochMs.parse(at - 61_000) }
    const page = await openDriven('participant', { ...bob, asked: long })
    const ada = { person: 'p1', name: 'Ada', since: at, asked: null }
    page.answer(route, { body: { driver: ada } })
    await userEvent.click(await screen.findByRole('button', { name: 'Take over' }))
    page.drives(ada)
    expect(await screen.findByText(/You have been driving this cluster/)).toBeTruthy()
  })

  it('asks the driver, who keeps driving or gives it back', async () => {
    const mine = { person: 'p1', name: 'Ada', since: at, asked: { person: 'p2', name: 'Bob', at } }
    const page = await openDriven('participant', mine)
    page.answer(route, { body: { driver: { ...mine, asked: null } } })
    await userEvent.click(await screen.findByRole('button', { name: 'Keep driving' }))
    page.drives({ ...mine, asked: null })
    page.answer('DELETE /api/testbeds/kubernetes:kind-kind/driver', { body: { driver: null } })
    await userEvent.click(await screen.findByRole('button', { name: 'Stop driving' }))
    page.drives(null)
    expect(await screen.findByText(/Nobody drives this cluster/)).toBeTruthy()
  })

  it('has no driver without a workshop', async () => {
    openPage('/', { ...as('instructor', { workshop: false }), ...cluster })
    await screen.findByRole('article', { name: 'Cluster kind-kind' })
    await screen.findAllByText('1.18.2')
    expect(screen.queryByText(/(drives|driving) this cluster/)).toBeNull()
  })
})

describe('a testbed that only an instructor can choose', () => {
  const kubernetes = testbed({ id: 'kubernetes', kind: 'kubernetes', context: null })
  const answers = {
    'GET /api/labs': { body: { labs: [aLab()], problems: [], testbeds: ['netns@p1', 'kubernetes'] } },
    'GET /api/testbeds/netns@p1': { body: testbed({ id: 'netns@p1' }) },
    'GET /api/testbeds/kubernetes': { body: kubernetes },
  }

  it('is not on a participant’s page', async () => {
    openPage('/', { ...answers, ...as('participant') })
    await screen.findByRole('article', { name: 'Own testbed on this machine' })
    await screen.findByText('Ada')
    expect(screen.queryByRole('article', { name: 'Kubernetes cluster' })).toBeNull()
  })

  it('is on the instructor’s', async () => {
    openPage('/', { ...answers, ...as('instructor') })
    expect(await screen.findByRole('article', { name: 'Kubernetes cluster' })).toBeTruthy()
  })
})

describe('the page of an instructor', () => {
  it('leads to the room in a workshop, and only there', async () => {
    const page = openPage('/', as('instructor'))
    expect((await screen.findByRole('link', { name: 'Room' })).getAttribute('href')).toBe('/room')
    expect(screen.queryByText('You are')).toBeNull()
    expect(page.asked).not.toContain('GET /api/room')
  })

  it('offers to start a lab, not to continue somebody else’s session of it', async () => {
    const session = {
      id: aSession,
      labId: 'big-tcp-ipv4',
      testbed: 'netns',
      owner: 'p7',
      createdAt: 1,
      lastRunAt: 2,
      passedSteps: ['preflight'],
      verdict: null,
    }
    openPage('/', { ...as('instructor', { id: 'owner' }), 'GET /api/sessions': { body: { sessions: [session] } } })
    expect(await screen.findByRole('button', { name: /^Start: BIG TCP over IPv4/ })).toBeTruthy()
    expect(screen.queryByRole('link', { name: /Continue/ })).toBeNull()
  })

  it('has no room without a workshop', async () => {
    const page = openPage('/', as('instructor', { workshop: false }))
    await screen.findByRole('link', { name: 'History' })
    await waitFor(() => expect(page.asked).toContain('GET /api/me'))
    expect(screen.queryByRole('link', { name: 'Room' })).toBeNull()
  })
})

describe('the page of somebody else', () => {
  it('leads a follower to what is presented', async () => {
    openPage('/', as('viewer'))
    expect((await screen.findByRole('link', { name: 'See what is presented' })).getAttribute('href')).toBe('/follow')
    expect(screen.queryByRole('heading', { name: 'Labs' })).toBeNull()
  })

  it('leads a stranger to the terminal’s link, or into a workshop', async () => {
    const stranger = refusal(401, { code: 'unauthorized' })
    openPage('/', { 'GET /api/me': stranger, 'GET /api/labs': stranger, 'GET /api/sessions': stranger })
    expect(await screen.findByRole('textbox', { name: 'Token' })).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Join with your code' }).getAttribute('href')).toBe('/join')
  })
})
