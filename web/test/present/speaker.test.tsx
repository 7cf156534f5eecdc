// @vitest-environment happy-dom
import { fireEvent, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import type { Presentation } from '@expresslane/shared/wire/presentation'
import { describe, expect, it } from 'vitest'
import { aLab, aSession } from '@expresslane/shared/test/builders'
import { aTalk } from '../talk.ts'
import { aRoom, aRun } from '../classroom-data.ts'
import { openPage, refusal, type OpenPage } from '../pages/open-page.tsx'

const session = { id: aSession, labId: 'big-tcp-ipv4', testbed: 'netns', owner: 'owner', createdAt: 1 }
const address = `/labs/big-tcp-ipv4/sessions/${aSession}?speaker`
const talk = aTalk()
const plain = aLab()
const lab = {
  ...plain,
  steps: plain.steps.map((step) => ({ ...step, notes: `Say this about ${step.id}.`, minutes: 2 })),
}
const commands = 'POST /api/presentation/commands'
const rehearse = `POST /api/sessions/${aSession}/rehearsal`
const rehearsal = {
  sessionId: 's_00000002',
  runId: 'r_00000009',
  labId: 'big-tcp-ipv4',
  testbed: 'netns',
  startedAt: 1,
  state: 'running',
  steps: { passed: 1, total: 2 },
  preflight: [],
  failed: null,
  expected: null,
  effects: [],
  recordingId: null,
  says: ['Rehearsing: 1 of 2 steps are done.'],
}
const answers = {
  'GET /api/labs': { body: { labs: [lab], problems: [], testbeds: ['netns'] } },
  [`GET /api/sessions/${aSession}`]: { body: { session, runs: [], incarnation: 'one', seq: 0 } },
  [`GET /api/sessions/${aSession}/rehearsal`]: { body: { rehearsal: null } },
  'GET /api/presentation': { body: { presentation: null } },
  [commands]: { body: { presentation: talk } },
}
const show = (page: OpenPage, over: Partial<Presentation> = {}) =>
  page.send({ type: 'presentation', presentation: { ...talk, ...over } })
const card = async (name: string) => within(await screen.findByRole('region', { name }))

describe('the speaker’s window', () => {
  it('begins no talk by itself, but when asked to', async () => {
    const page = openPage(address, { ...answers, 'PUT /api/presentation': 'pending' })
    const begin = await screen.findByRole('button', { name: 'Begin the talk' })
    expect(page.asked).not.toContain('PUT /api/presentation')
    await userEvent.click(begin)
    expect(page.asked).toContain('PUT /api/presentation')
  })

  it('shows the notes of this step and the next, and who follows', async () => {
    const page = openPage(address, answers)
    await screen.findByRole('button', { name: 'Begin the talk' })
    show(page)
    expect((await card('Why packets grow')).getByText('Say this about why.')).toBeTruthy()
    expect((await card('Next: Check the testbed')).getByText('Say this about preflight.')).toBeTruthy()
    expect((await card('The room')).getByText('follows', { exact: false })).toBeTruthy()
    show(page, { stepId: 'preflight' })
    expect((await card('Check the testbed')).getByText('Say this about preflight.')).toBeTruthy()
    expect(await card('This is the last step')).toBeTruthy()
  })

  it('leaves the keys to scroll by to the browser, and takes those that lead', async () => {
    const page = openPage(address, answers)
    await screen.findByRole('button', { name: 'Begin the talk' })
    show(page)
    const isTaken = (key: string) => !fireEvent.keyDown(document.body, { key })
    expect(['ArrowDown', 'ArrowUp', 't'].map(isTaken)).toEqual([false, false, false])
    expect(['.', 'PageDown'].map(isTaken)).toEqual([true, true])
  })

  it('starts autopilot, says why it stopped, and takes over', async () => {
    const page = openPage(address, answers)
    await screen.findByRole('button', { name: 'Begin the talk' })
    show(page)
    await userEvent.click((await card('Autopilot')).getByRole('button', { name: 'Start autopilot' }))
    expect(page.asked).toContain(commands)
    show(page, { autopilot: { ...talk.autopilot, state: 'running' } })
    expect((await card('Autopilot')).getByRole('button', { name: 'Take over' })).toBeTruthy()
    show(page, { autopilot: { ...talk.autopilot, state: 'stopped', problem: 'The kernel refused.' } })
    expect((await card('Autopilot')).getByText(/The kernel refused\./)).toBeTruthy()
  })

  it('names who waits for what, and says why the room is unknown', async () => {
    const run = { runId: aRun, sessionId: aSession, person: 'p9', name: 'Eve', labId: lab.id, stepId: 'preflight' }
    const page = openPage(address, {
      ...answers,
      'GET /api/me': {
        body: { id: 'owner', role: 'instructor', name: 'Instructor', workshop: true, mostSeconds: null },
      },
      'GET /api/room': refusal(500, { message: 'The room is unknown.' }),
    })
    const room = await card('The room')
    expect(await room.findByText('The room is unknown.')).toBeTruthy()
    page.answer('GET /api/room', { body: aRoom({ queue: { paused: false, running: [], waiting: [run] } }) })
    await userEvent.click(room.getByRole('button', { name: 'Try again' }))
    expect((await room.findByRole('listitem')).textContent).toBe('Eve BIG TCP over IPv4: Check the testbed')
  })

  it('rehearses, and shows what that says', async () => {
    const page = openPage(address, { ...answers, [rehearse]: { status: 202, body: { rehearsal } } })
    const panel = await card('Rehearsal')
    page.answer(`GET /api/sessions/${aSession}/rehearsal`, { body: { rehearsal } })
    await userEvent.click(panel.getByRole('button', { name: 'Rehearse' }))
    expect(page.asked).toContain(rehearse)
    expect(await panel.findByText('Rehearsing: 1 of 2 steps are done.')).toBeTruthy()
    expect(panel.getByRole('button', { name: 'Cancel the rehearsal' })).toBeTruthy()
  })
})
