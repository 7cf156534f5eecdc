// @vitest-environment happy-dom
/** A participant's hand and consents, and an instructor who looks. */
import { act, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { aSession } from '@expresslane/shared/test/builders'
import { epochMs } from '@expresslane/shared/base/units'
import { sessionId } from '@expresslane/shared/run/events'
import { testbedId } from '@expresslane/shared/testbed/id'
import type { HandView } from '@expresslane/shared/wire/hand'
import { describe, expect, it } from 'vitest'
import { aParticipant, aRoom } from '../classroom-data.ts'
import { openPage } from './open-page.tsx'

const testbed = testbedId.parse('netns@p1')
const session = { id: aSession, labId: 'big-tcp-ipv4', testbed, owner: 'p1', createdAt: 1 }
const address = `/labs/big-tcp-ipv4/sessions/${aSession}/preflight`
const done = { status: 204, body: null }
const at = `/api/sessions/${aSession}`

const me = (role: 'participant' | 'instructor') => ({
  'GET /api/me': {
    body: { id: role === 'instructor' ? 'owner' : 'p1', role, name: 'Ada', workshop: true, mostSeconds: null },
  },
  [`GET ${at}`]: { body: { session, runs: [], incarnation: 'one', seq: 0 } },
  [`POST ${at}/steps/preflight/hand`]: done,
  [`PUT ${at}/hand`]: done,
  [`DELETE ${at}/hand`]: done,
  [`PUT ${at}/sharing`]: done,
  [`DELETE ${at}/sharing`]: done,
  'GET /api/testbeds/netns@p1': 'pending' as const,
})

const hand = (over: Partial<HandView> = {}): HandView => ({
  person: 'p1',
  name: 'Ada',
  sessionId: aSession,
  labId: 'big-tcp-ipv4',
  stepId: 'preflight',
  raisedAt: epochMs.parse(Date.now() - 125_000),
  before: 0,
  letsIn: false,
  sharing: null,
  ...over,
})
const sharing = (typing: 'no' | 'asked' | 'allowed' = 'no') => ({ by: 'owner', typing, terminals: [] })
const frame = (...hands: HandView[]) => ({ type: 'hands', hands }) as const
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))

describe('a participant', () => {
  it('raises a hand at the step, sees the place, lets the instructor look, and lowers it', async () => {
    const page = openPage(address, me('participant'))
    await press('I’m stuck')
    page.send(frame(hand({ before: 2 })))
    expect(await screen.findByText('Hand up, 2 before you.')).toBeTruthy()
    await press('Let the instructor look')
    page.send(frame(hand({ letsIn: true })))
    expect(await screen.findByText('Hand up, nobody before you.')).toBeTruthy()
    await press('Lower my hand')
    page.send(frame())
    expect(await screen.findByRole('button', { name: 'I’m stuck' })).toBeTruthy()
    const changes = page.asked.filter((route) => !route.startsWith('GET'))
    expect(changes).toEqual([`POST ${at}/steps/preflight/hand`, `PUT ${at}/hand`, `DELETE ${at}/hand`])
  })

  it('sees on every page that the instructor looks, answers who asks to type, and ends it', async () => {
    const page = openPage('/', me('participant'))
    await screen.findByText('Ada')
    page.send(frame(hand({ letsIn: true, sharing: sharing() })))
    expect(await screen.findByText('The instructor sees your step and terminals.')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Allow typing' })).toBeNull()
    page.send(frame(hand({ letsIn: true, sharing: sharing('asked') })))
    await press('Allow typing')
    page.send(frame(hand({ letsIn: true, sharing: sharing('allowed') })))
    expect(await screen.findByText('The instructor sees your step and terminals, and can type there.')).toBeTruthy()
    await press('Stop typing')
    await press('End')
    page.send(frame(hand()))
    expect(screen.queryByText(/The instructor sees/)).toBeNull()
    expect(page.asked.filter((route) => route === `PUT ${at}/hand`)).toHaveLength(3)
  })

  it('has a hand in another lab', async () => {
    const page = openPage(address, me('participant'))
    await screen.findByRole('button', { name: 'I’m stuck' })
    page.send(frame(hand({ sessionId: sessionId.parse('s_00000002') })))
    expect(await screen.findByText(/Your hand is up in another lab/)).toBeTruthy()
  })

  it('has no button in a session of somebody else', async () => {
    const presented = { ...session, owner: 'owner' }
    openPage(address, {
      ...me('participant'),
      [`GET ${at}`]: { body: { session: presented, runs: [], incarnation: 'one', seq: 0 } },
    })
    await screen.findByRole('navigation', { name: 'Steps' })
    expect(screen.queryByRole('button', { name: 'I’m stuck' })).toBeNull()
  })
})

describe('an instructor', () => {
  const board = {
    'GET /api/room': { body: aRoom({ participants: [aParticipant()] }) },
    'GET /api/room/invitations': { body: { invitations: [] } },
  }

  it('sees the hands on the board in order, and looks where the participant allows it', async () => {
    const page = openPage('/room', { ...me('instructor'), ...board })
    expect(await screen.findByText('Nobody is stuck.')).toBeTruthy()
    const other = hand({ person: 'p2', name: 'Bob', sessionId: sessionId.parse('s_00000002') })
    page.send(frame(other, hand({ before: 1, letsIn: true })))
    const lines = within(await screen.findByRole('list', { name: 'Hands up' })).getAllByRole('listitem')
    expect(lines.map((line) => line.textContent)).toEqual([
      expect.stringMatching(/^1Bob.*Check the testbed2 min 5 s.*Does not let you look/),
      expect.stringMatching(/^2Ada.*Look/),
    ])
    await press('Look at the session of Ada')
    expect(await screen.findByRole('heading', { level: 2, name: 'Check the testbed' })).toBeTruthy()
    expect(window.location.pathname).toBe(address)
    expect(page.asked).toContain(`PUT ${at}/sharing`)
  })

  it('asks to type, leaves, and sees when the sharing ends', async () => {
    const page = openPage(address, me('instructor'))
    await screen.findByRole('navigation', { name: 'Steps' })
    page.send(frame(hand({ letsIn: true })))
    await press('Look')
    page.send(frame(hand({ letsIn: true, sharing: sharing() })))
    await press('Ask to type')
    page.send(frame(hand({ letsIn: true, sharing: sharing('asked') })))
    expect(await screen.findByText(/You asked Ada to let you type/)).toBeTruthy()
    page.send(frame(hand()))
    expect(await screen.findByText(/The sharing has ended/)).toBeTruthy()
    expect(page.asked).not.toContain(`DELETE ${at}/sharing`)
  })

  it('leaves with the page', async () => {
    const page = openPage(address, { ...me('instructor'), ...board })
    await screen.findByRole('navigation', { name: 'Steps' })
    page.send(frame(hand({ letsIn: true, sharing: sharing() })))
    await screen.findByText(/You look, and Ada sees that/)
    act(() => screen.getByRole('link', { name: 'Room' }).click())
    await expect.poll(() => page.asked.filter((route) => route === `DELETE ${at}/sharing`)).toHaveLength(1)
  })

  it('leaves with the tab, and does not look where another instructor does', async () => {
    const page = openPage(address, me('instructor'))
    await screen.findByRole('navigation', { name: 'Steps' })
    page.send(frame(hand({ letsIn: true, sharing: { ...sharing(), by: 'another' } })))
    expect(await screen.findByRole('button', { name: 'Look' })).toBeTruthy()
    page.happens(() => void window.dispatchEvent(new Event('pagehide')))
    expect(page.asked).not.toContain(`DELETE ${at}/sharing`)
    page.send(frame(hand({ letsIn: true, sharing: sharing() })))
    await screen.findByText(/You look, and Ada sees that/)
    page.happens(() => void window.dispatchEvent(new Event('pagehide')))
    await expect.poll(() => page.asked).toContain(`DELETE ${at}/sharing`)
  })
})
