// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { aLabsFigures, aParticipant, aResult, aRoom, aRun, aSeat, aWait } from '../classroom-data.ts'
import { openPage, refusal } from './open-page.tsx'

const noInvitations = { 'GET /api/room/invitations': { body: { invitations: [] } } }
const failed = { stepId: 'preflight', runId: aRun, problem: null, message: 'GSO is still 64 KiB.' }
const ada = aParticipant({ seats: [aSeat({ failed })] })

function openRoom(room: unknown, more = {}) {
  return openPage('/room', { 'GET /api/room': { body: room }, ...noInvitations, ...more })
}

const lineOf = async (name: string) => {
  const list = within(await screen.findByRole('list', { name: 'Participants' }))
  const line = list.getAllByRole('listitem').find((item) => item.textContent.includes(name))
  if (line === undefined) throw new Error(`no line of ${name}`)
  return line.textContent
}

async function help(name: string) {
  await userEvent.click(await screen.findByRole('button', { name: `Help ${name}` }))
  return within(await screen.findByRole('dialog', { name }))
}

describe('the board', () => {
  it('says that nobody has joined, and opens the door', async () => {
    const link = 'http://10.0.0.5:7070/j/KX4P-7Q2M'
    const page = openRoom(aRoom(), {
      'PUT /api/room/doors/participant': { body: { role: 'participant', code: 'KX4P-7Q2M', link } },
    })
    expect(await screen.findByText('Nobody has joined yet')).toBeTruthy()
    page.answer('GET /api/room', {
      body: aRoom({
        doors: [
          { role: 'participant', code: 'KX4P-7Q2M', link },
          { role: 'viewer', code: null, link: null },
        ],
      }),
    })
    await userEvent.click(screen.getByRole('button', { name: 'Open the door for participants' }))
    expect(await screen.findByText('KX4P-7Q2M')).toBeTruthy()
    expect(screen.getByText(link)).toBeTruthy()
    expect(screen.getByRole('img', { name: 'QR code: the door for participants' })).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Close the door for participants' })).toBeTruthy()
  })

  it('shows where everybody is, what failed, who waits and what they measured', async () => {
    const people = [
      ada,
      aParticipant({ id: 'p2', name: 'Bob', seats: [aSeat({ run: aWait(2) })] }),
      aParticipant({ id: 'p3', name: 'Cem', seats: [aSeat({ stepId: null, result: aResult(1.42) })] }),
      aParticipant({ id: 'p4', name: 'Dee', online: false }),
    ]
    const waiting = [
      { runId: aRun, sessionId: 's_00000001', person: 'p9', name: 'Eve', labId: 'big-tcp-ipv4', stepId: 'preflight' },
    ]
    openRoom(aRoom({ participants: people, followers: 7, queue: { paused: false, running: [], waiting } }))
    expect(await lineOf('Ada')).toContain('GSO is still 64 KiB.')
    expect(await lineOf('Ada')).toContain('2 of 2: Check the testbed')
    expect(await lineOf('Bob')).toContain('2nd in line, about 40 s')
    expect(await lineOf('Cem')).toContain('×1.42 1.37 to 1.47')
    expect(await lineOf('Dee')).toContain('offline: Dee')
    expect(screen.getByText(/4 of 30 participants, 3 online\. 7 followers\./)).toBeTruthy()
    expect(screen.getByText(/Median of 1 result/).textContent).toContain('×1.42')
    expect(within(screen.getByRole('list', { name: 'Waiting' })).getByText('Eve')).toBeTruthy()
  })

  it('shows how many are at each step, the slowest step, and where the room is stuck', async () => {
    openRoom(aRoom({ participants: [ada], labs: [aLabsFigures({ here: 3, left: 1, standsOut: ['time'] })] }))
    const list = within(await screen.findByRole('list', { name: 'People by step' }))
    const lines = list.getAllByRole('listitem').map(({ textContent }) => textContent)
    expect(lines).toEqual(['2. Check the testbed3 here, 1 left2 min 5 s, 3.1 × expected, slowest', 'Done2'])
    const words =
      'The room is stuck at “2. Check the testbed”: it takes 3.1 times as long as expected (median 2 min 5 s).'
    expect(screen.getByText(words)).toBeTruthy()
  })

  it('says that no step stands out, and that a median is longer than all times so far', async () => {
    const seconds = { low: null, median: null, high: null, longest: 40 }
    openRoom(aRoom({ participants: [ada], labs: [aLabsFigures({ seconds })] }))
    const list = within(await screen.findByRole('list', { name: 'People by step' }))
    expect(list.getByText(/over 40 s/).textContent).toBe('over 40 s, over 3.1 × expected, slowest')
    expect(screen.getByText('No step stands out.')).toBeTruthy()
  })

  it('exports the steps without names, until the instructor chooses them', async () => {
    openRoom(aRoom({ participants: [ada] }))
    const addressOf = (name: RegExp) => screen.getByRole('link', { name, hidden: true }).getAttribute('href')
    await screen.findByText('Export')
    expect(addressOf(/^Steps: CSV/)).toBe('/api/room/steps.csv?lab=big-tcp-ipv4&names=false')
    await userEvent.click(screen.getByRole('checkbox', { name: 'Name people in “Steps”', hidden: true }))
    expect(addressOf(/^Steps: CSV/)).toBe('/api/room/steps.csv?lab=big-tcp-ipv4&names=true')
    expect(addressOf(/^Steps: report/)).toBe('/api/room/steps?lab=big-tcp-ipv4&names=true')
    expect(addressOf(/^Steps: xAPI/)).toBe('/api/room/xapi.json?lab=big-tcp-ipv4&names=true')
  })

  it('asks again when the stream says that the room changed', async () => {
    const page = openRoom(aRoom({ participants: [ada] }))
    expect(await lineOf('Ada')).toContain('GSO')
    page.answer('GET /api/room', { body: aRoom({ participants: [{ ...ada, seats: [aSeat()] }] }) })
    page.send({ type: 'room', revision: 2 })
    await waitFor(async () => expect(await lineOf('Ada')).toContain('reading'))
    expect(await lineOf('Ada')).not.toContain('GSO')
  })

  it('shows why it can not be read', async () => {
    openRoom(aRoom(), { 'GET /api/room': refusal(403, { code: 'not_allowed', message: 'Only instructors see this.' }) })
    expect((await screen.findByRole('alert')).textContent).toContain('Only instructors see this.')
  })

  it('shows what runs, marks what takes long, and cancels it', async () => {
    const one = { sessionId: 's_00000001', person: 'p9', name: 'Eve', labId: 'big-tcp-ipv4', stepId: 'preflight' }
    const running = [
      { ...one, runId: 'r_00000002', person: 'p8', name: 'Fay', seconds: 3, leftSeconds: 9 },
      { ...one, runId: aRun, labId: 'bench', stepId: 'run', seconds: 75, leftSeconds: 45 },
    ]
    const page = openRoom(aRoom({ queue: { paused: false, running, waiting: [] } }), {
      [`POST /api/runs/${aRun}/cancel`]: refusal(409, { code: 'run_not_running', message: 'It has ended.' }),
    })
    const list = within(await screen.findByRole('list', { name: 'Running' }))
    const [first, second] = list.getAllByRole('listitem')
    expect(first?.textContent).toContain('bench: run')
    expect(first?.textContent).toMatch(/Long run: 1 min 1\d s so far, about 45 s left/)
    expect(second?.textContent).toMatch(/Fay.*: Check the testbed[34] s so far, about 10 s left/)
    await userEvent.click(list.getByRole('button', { name: 'Cancel the run of Eve' }))
    expect((await screen.findByRole('alert')).textContent).toContain('It has ended.')
    page.answer(`POST /api/runs/${aRun}/cancel`, {
      status: 202,
      body: { runId: aRun, stepId: 'baseline', queue: null },
    })
    page.answer('GET /api/room', { body: aRoom() })
    await userEvent.click(list.getByRole('button', { name: 'Cancel the run of Eve' }))
    await waitFor(() => expect(screen.queryByRole('list', { name: 'Running' })).toBeNull())
  })

  it('shows that many people joined from one address, until the instructor says that it is the room', async () => {
    const route = 'POST /api/room/networks'
    const crowded = [
      { network: '192.0.2.1', people: 15, most: 15 },
      { network: '2001:db8::/64', people: 3, most: 15 },
    ]
    const page = openRoom(aRoom({ participants: [ada], crowded }), { [route]: { body: {} } })
    const full = (await screen.findByText('15 people joined from 192.0.2.1')).parentElement
    expect(full?.textContent).toContain('No more can join from there until you allow more.')
    expect(screen.getByText('3 people joined from 2001:db8::/64').parentElement?.textContent).toContain('Up to 15')
    page.answer('GET /api/room', { body: aRoom({ participants: [ada] }) })
    const [mine] = screen.getAllByRole('button', { name: 'This is my room' })
    if (mine === undefined) throw new Error('no button')
    await userEvent.click(mine)
    await waitFor(() => expect(screen.queryByText(/people joined from/)).toBeNull())
    expect(page.asked).toContain(route)
    expect((await help('Ada')).getByText(/from 192\.0\.2\.1\./)).toBeTruthy()
  })

  it('shows a door that has no code to type for a while', async () => {
    const link = 'http://192.0.2.7:7070/j/4f9aGz0LqWm81xTzR2vQ12'
    openRoom(aRoom({ doors: [{ role: 'participant', code: null, link }] }))
    expect(await screen.findByText(/Many wrong codes were typed/)).toBeTruthy()
    expect(screen.getByText(link)).toBeTruthy()
    expect(screen.getByRole('button', { name: 'New code for participants' })).toBeTruthy()
  })

  it('pauses and resumes the queue', async () => {
    const page = openRoom(aRoom(), { 'PUT /api/room/queue': { body: { paused: true } } })
    const pause = await screen.findByRole('button', { name: 'Pause' })
    page.answer('GET /api/room', { body: aRoom({ queue: { paused: true, running: [], waiting: [] } }) })
    await userEvent.click(pause)
    expect(await screen.findByRole('button', { name: 'Resume' })).toBeTruthy()
    expect(screen.getByText(/^Paused/)).toBeTruthy()
  })
})

describe('a participant', () => {
  it('gets the next steps run, and a refusal is shown', async () => {
    const route = 'POST /api/sessions/s_00000001/steps/preflight/run'
    const page = openRoom(aRoom({ participants: [ada] }), {
      [route]: refusal(409, { code: 'testbed_busy', message: 'A step runs.' }),
    })
    const dialog = await help('Ada')
    expect(dialog.getByText('The check of “Check the testbed” failed')).toBeTruthy()
    await userEvent.click(dialog.getByRole('button', { name: 'Unstick' }))
    expect((await dialog.findByRole('alert')).textContent).toContain('A step runs.')
    page.answer(route, { status: 202, body: { runId: aRun } })
    await userEvent.click(dialog.getByRole('button', { name: 'Unstick' }))
    expect(page.asked.filter((one) => one === route)).toHaveLength(2)
  })

  it('gets a message', async () => {
    const page = openRoom(aRoom({ participants: [ada] }), { 'POST /api/room/messages': { body: {} } })
    const dialog = await help('Ada')
    const send = dialog.getByRole('button', { name: 'Send' })
    expect(send.hasAttribute('disabled')).toBe(true)
    await userEvent.type(dialog.getByRole('textbox', { name: 'Message to Ada' }), 'Look at eth0')
    await userEvent.click(send)
    expect(await dialog.findByText('Sent.')).toBeTruthy()
    expect(page.asked).toContain('POST /api/room/messages')
  })

  it('is removed after a question', async () => {
    const page = openRoom(aRoom({ participants: [ada] }), { 'DELETE /api/room/participants/p1': { body: {} } })
    const dialog = await help('Ada')
    await userEvent.click(dialog.getByRole('button', { name: 'Remove from the room' }))
    expect(page.asked).not.toContain('DELETE /api/room/participants/p1')
    page.answer('GET /api/room', { body: aRoom() })
    await userEvent.click(dialog.getByRole('button', { name: 'Remove Ada' }))
    expect(await screen.findByText('Nobody has joined yet')).toBeTruthy()
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})

describe('invitations', () => {
  const invitation = {
    id: 'i1',
    role: 'viewer',
    createdAt: 1,
    expiresAt: Date.now() + 3_600_000,
    revokedAt: null,
    joined: 3,
  }

  it('show a new link once, and the valid ones', async () => {
    const link = 'http://10.0.0.5:7070/f/4f9aGz0LqWm81xTzR2vQ'
    const page = openRoom(aRoom(), { 'POST /api/room/invitations': { status: 201, body: { invitation, link } } })
    await userEvent.click(await screen.findByRole('button', { name: 'New invitation' }))
    page.answer('GET /api/room/invitations', { body: { invitations: [invitation] } })
    await userEvent.click(screen.getByRole('button', { name: 'Create' }))
    expect(await screen.findByText(link)).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Done' }))
    expect(screen.queryByText(link)).toBeNull()
    expect(await screen.findByText(/For followers, 3 joined/)).toBeTruthy()
  })

  it('go from the list when they are revoked', async () => {
    const page = openRoom(aRoom(), {
      'GET /api/room/invitations': { body: { invitations: [invitation, { ...invitation, id: 'i2', expiresAt: 2 }] } },
      'DELETE /api/room/invitations/i1': { body: {} },
    })
    const list = within(await screen.findByRole('list', { name: 'Valid invitations' }))
    expect(list.getAllByRole('listitem')).toHaveLength(1)
    page.answer('GET /api/room/invitations', { body: { invitations: [{ ...invitation, revokedAt: 5 }] } })
    await userEvent.click(list.getByRole('button', { name: /^Revoke/ }))
    const dialog = within(screen.getByRole('dialog'))
    expect(dialog.getByText(/the 3 who joined with it lose access/)).toBeTruthy()
    await userEvent.click(dialog.getByRole('button', { name: 'Revoke' }))
    await waitFor(() => expect(screen.queryByRole('list', { name: 'Valid invitations' })).toBeNull())
    expect(page.asked).toContain('DELETE /api/room/invitations/i1')
  })
})

describe('the audit log', () => {
  it('lists who did what, page by page', async () => {
    const entry = {
      id: 9,
      at: 1,
      principal: 'p1',
      name: 'Ada',
      role: 'participant',
      address: '10.0.0.7',
      action: 'POST /api/sessions/:id/reset',
      target: { id: 's_00000001', testbed: 'netns@p1' },
      status: 202,
    }
    const page = openPage('/room/audit', { 'GET /api/audit': { body: { entries: [entry], next: 9 } } })
    const row = await screen.findByRole('row', { name: /Ada/ })
    for (const words of ['participant', '10.0.0.7', 'POST /api/sessions/:id/reset', 'testbed netns@p1', '202']) {
      expect(row.textContent).toContain(words)
    }
    page.answer('GET /api/audit', { body: { entries: [{ ...entry, id: 8, name: 'Bob' }], next: null } })
    await userEvent.click(screen.getByRole('button', { name: 'Show older entries' }))
    expect(await screen.findByRole('row', { name: /Bob/ })).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Show older entries' })).toBeNull()
    expect(screen.getByRole('link', { name: 'Export as CSV' }).getAttribute('href')).toBe('/api/audit.csv')
  })
})
