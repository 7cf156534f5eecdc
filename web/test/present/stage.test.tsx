// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import type { RunEvent } from '@expresslane/shared/run/events'
import { aTable, probing, somePackets } from '@expresslane/shared/test/exhibits'
import type { Presentation } from '@expresslane/shared/wire/presentation'
import { describe, expect, it } from 'vitest'
import { aLab, aSession, ended, logged, started } from '@expresslane/shared/test/builders'
import { aTalk } from '../talk.ts'
import { aRoom } from '../classroom-data.ts'
import { openPage, refusal, type OpenPage } from '../pages/open-page.tsx'

const session = { id: aSession, labId: 'big-tcp-ipv4', testbed: 'netns', owner: 'owner', createdAt: 1 }
const base = `/labs/big-tcp-ipv4/sessions/${aSession}`
const talk = aTalk({ followers: 3 })
const commands = 'POST /api/presentation/commands'
const run = `POST /api/sessions/${aSession}/steps/preflight/run`
const answers = {
  [`GET /api/sessions/${aSession}`]: { body: { session, runs: [], incarnation: 'one', seq: 0 } },
  'GET /api/presentation': { body: { presentation: talk } },
  [commands]: { body: { presentation: talk } },
}
const show = (page: OpenPage, over: Partial<Presentation> = {}) =>
  page.send({ type: 'presentation', presentation: { ...talk, ...over } })
const events = (what: RunEvent[], from: number) => ({ type: 'events' as const, events: logged(what, from) })
const checked: RunEvent = {
  type: 'step.checked',
  outcome: { passed: true, sentence: 'It can run here.', observations: [], hint: null },
}
const { steps } = aLab()
const twoToRun = aLab({ steps: [...steps, { ...steps[1], id: 'again', title: 'Check it again' }] })
const step = (name: string) => screen.findByRole('heading', { level: 2, name })
const times = (page: OpenPage, route: string) => page.asked.filter((one) => one === route).length

describe('the presenter’s view', () => {
  it('begins the talk at the step of its address', async () => {
    const page = openPage(`${base}/preflight?present`, {
      ...answers,
      'GET /api/presentation': { body: { presentation: null } },
      'PUT /api/presentation': { body: { presentation: talk } },
    })
    expect(await step('Check the testbed')).toBeTruthy()
    await waitFor(() => expect(page.asked).toContain('PUT /api/presentation'))
    expect(screen.queryByRole('navigation', { name: 'Pages' })).toBeNull()
  })

  it('joins a talk that is on after a reload, and does not begin it again', async () => {
    const page = openPage(`${base}/why?present`, answers)
    show(page, { stepId: 'preflight' })
    expect(await step('Check the testbed')).toBeTruthy()
    expect(page.asked).not.toContain('PUT /api/presentation')
  })

  it('goes on from a step to read, then runs the next one, then waits for it', async () => {
    const page = openPage(`${base}?present`, { ...answers, [run]: 'pending' })
    show(page)
    await step('Why packets grow')
    await userEvent.keyboard('{PageDown}')
    expect(times(page, commands)).toBe(1)
    show(page, { stepId: 'preflight' })
    await step('Check the testbed')
    await userEvent.keyboard('{PageDown}')
    expect(times(page, run)).toBe(1)
    page.send(events([started({ stepId: 'preflight' })], 1))
    await userEvent.keyboard('{PageDown}{PageDown}')
    expect([times(page, run), times(page, commands)]).toEqual([1, 1])
  })

  it('counts a press when the result is shown, even if the request for the run has no answer yet', async () => {
    const page = openPage(`${base}?present`, {
      ...answers,
      'GET /api/labs': { body: { labs: [twoToRun], problems: [], testbeds: ['netns'] } },
      [run]: 'pending',
    })
    show(page, { stepId: 'preflight' })
    await step('Check the testbed')
    await userEvent.keyboard('{PageDown}')
    page.send(events([started({ stepId: 'preflight' }), checked], 1))
    // The run is not over, so a press would be lost.
    expect(screen.queryByText('Passed.')).toBeNull()
    page.send(events([ended], 3))
    expect(screen.getByText('Passed.')).toBeTruthy()
    await userEvent.keyboard('{PageDown}')
    expect([times(page, run), times(page, commands)]).toEqual([1, 1])
  })

  it('shows what a probe found, briefly', async () => {
    const page = openPage(`${base}?present`, answers)
    show(page, { stepId: 'preflight' })
    await step('Check the testbed')
    const rows = Array.from({ length: 20 }, (_, index) => [`name ${index}`, '10.4.0.2'])
    page.send(events(probing([{ ...aTable, rows }, somePackets], 'preflight'), 1))
    expect(await screen.findByText('15 more rows are not shown.')).toBeTruthy()
    expect(screen.getByRole('columnheader', { name: 'gateway' })).toBeTruthy()
    expect(screen.queryByRole('columnheader', { name: 'What happened' })).toBeNull()
    expect(screen.getByText('Passed.')).toBeTruthy()
  })

  it('runs a step once, however often the key is pressed before the run is known', async () => {
    const page = openPage(`${base}?present`, { ...answers, [run]: 'pending' })
    show(page, { stepId: 'preflight' })
    await step('Check the testbed')
    await userEvent.keyboard('{PageDown}{PageDown}{PageDown}')
    expect(times(page, run)).toBe(1)
  })

  it('runs a step once, even if the answer to the request is there before the run is', async () => {
    const accepted = { runId: 'r_00000001', stepId: 'preflight', queue: null }
    const page = openPage(`${base}?present`, {
      ...answers,
      'GET /api/labs': { body: { labs: [twoToRun], problems: [], testbeds: ['netns'] } },
      [run]: { status: 202, body: accepted },
    })
    show(page, { stepId: 'preflight' })
    await step('Check the testbed')
    await userEvent.keyboard('{PageDown}')
    // Enough turns of the loop for the answer.
    await new Promise((resolve) => setTimeout(resolve))
    await userEvent.keyboard('{PageDown}')
    expect(times(page, run)).toBe(1)
    page.send(events([started({ stepId: 'preflight' }), checked, ended], 1))
    await screen.findByText('Passed.')
    await userEvent.keyboard('{PageDown}')
    expect([times(page, run), times(page, commands)]).toEqual([1, 1])
  })

  it('listens to the keys as soon as it shows a slide', async () => {
    const page = openPage(`${base}?present`, answers)
    show(page)
    // No effect that waits for a frame runs in between.
    await waitFor(() => expect(document.querySelector('[data-stage]')).not.toBeNull(), { interval: 1 })
    window.dispatchEvent(new KeyboardEvent('keydown', { key: 'PageDown' }))
    await waitFor(() => expect(times(page, commands)).toBe(1))
  })

  it('does not say that nothing is presented while the stream has yet to show the talk', async () => {
    const page = openPage(`${base}/preflight?present`, {
      ...answers,
      'GET /api/presentation': { body: { presentation: null } },
      'PUT /api/presentation': { body: { presentation: talk } },
    })
    const told: boolean[] = []
    const watch = new MutationObserver(() => told.push(screen.queryByText('This session is not presented') !== null))
    watch.observe(document.body, { childList: true, subtree: true })
    await step('Check the testbed')
    await waitFor(() => expect(page.asked).toContain('PUT /api/presentation'))
    show(page, { stepId: 'preflight' })
    await screen.findByText('Check')
    watch.disconnect()
    expect(told).not.toContain(true)
  })

  it('follows the other window', async () => {
    const page = openPage(`${base}?present`, answers)
    show(page)
    await step('Why packets grow')
    show(page, { stepId: 'preflight' })
    expect(await step('Check the testbed')).toBeTruthy()
    show(page, { blank: true })
    expect(screen.queryByRole('heading', { level: 2 })).toBeNull()
    await userEvent.keyboard(' ')
    expect(times(page, commands)).toBe(1)
  })

  it('says why a step did not run', async () => {
    const problem = { code: 'step_not_ready', message: 'Deploy first.', remedy: 'Go back.' } as const
    const page = openPage(`${base}?present`, { ...answers, [run]: refusal(409, problem) })
    show(page, { stepId: 'preflight' })
    await step('Check the testbed')
    await userEvent.keyboard(' ')
    expect((await screen.findByRole('alert')).textContent).toMatch(/Deploy first\..*Go back\./)
  })

  it('says why a run was not cancelled, for as long as it runs', async () => {
    const problem = { message: 'It could not be cancelled.', remedy: 'Try it again.' }
    const cancel = 'POST /api/runs/r_00000001/cancel'
    const page = openPage(`${base}?present`, { ...answers, [cancel]: refusal(500, problem) })
    show(page, { stepId: 'preflight' })
    await step('Check the testbed')
    page.send(events([started({ stepId: 'preflight' })], 1))
    await userEvent.keyboard('c')
    expect((await screen.findByRole('alert')).textContent).toMatch(/could not be cancelled\..*Try it again\./)
    page.send(events([ended], 2))
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('says why the room is unknown and why its door did not open', async () => {
    const page = openPage(`${base}?present`, {
      ...answers,
      'GET /api/me': {
        body: { id: 'owner', role: 'instructor', name: 'Instructor', workshop: true, mostSeconds: null },
      },
      'GET /api/room': refusal(500, { message: 'The room is unknown.' }),
      'PUT /api/room/doors/viewer': refusal(409, { message: 'The door is stuck.', remedy: 'Restart the server.' }),
    })
    show(page)
    await step('Why packets grow')
    await userEvent.keyboard('f')
    const overlay = within(await screen.findByRole('dialog', { name: 'Join' }))
    expect(await overlay.findByText('The room is unknown.')).toBeTruthy()
    page.answer('GET /api/room', { body: aRoom() })
    await userEvent.click(overlay.getByRole('button', { name: 'Try again' }))
    await userEvent.click(await overlay.findByRole('button', { name: 'Open it for followers' }))
    expect((await overlay.findByRole('alert')).textContent).toMatch(/The door is stuck\..*Restart the server\./)
    expect(overlay.getByRole('button', { name: 'Try again' })).toBeTruthy()
  })

  it('lists its keys, and any key closes the list', async () => {
    const page = openPage(`${base}?present`, answers)
    show(page)
    await step('Why packets grow')
    await userEvent.keyboard('?')
    expect(within(await screen.findByRole('dialog', { name: 'Keys' })).getByText('Blank the screen')).toBeTruthy()
    await userEvent.keyboard('{Escape}')
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(window.location.search).toBe('?present')
    await userEvent.keyboard('{Escape}')
    expect(window.location.search).toBe('')
  })

  it('counts a press while the talk is still beginning', async () => {
    const page = openPage(`${base}/preflight?present`, {
      ...answers,
      'GET /api/presentation': { body: { presentation: null } },
      'PUT /api/presentation': 'pending',
      [run]: 'pending',
    })
    await step('Check the testbed')
    await userEvent.keyboard(' ')
    expect(page.asked).not.toContain(run)
    show(page, { stepId: 'preflight' })
    await waitFor(() => expect(times(page, run)).toBe(1))
  })

  it('goes to the step that a key asked for while the talk was still beginning', async () => {
    const page = openPage(`${base}/preflight?present`, {
      ...answers,
      'GET /api/presentation': { body: { presentation: null } },
      'PUT /api/presentation': 'pending',
    })
    await step('Check the testbed')
    await userEvent.keyboard('{ArrowLeft}')
    expect(page.asked).not.toContain(commands)
    show(page, { stepId: 'preflight' })
    await waitFor(() => expect(times(page, commands)).toBe(1))
  })

  it('says that the talk was ended elsewhere, and begins it again', async () => {
    const page = openPage(`${base}?present`, { ...answers, 'PUT /api/presentation': 'pending' })
    show(page)
    await step('Why packets grow')
    page.send({ type: 'presentation', presentation: null })
    expect(await screen.findByText('This session is not presented')).toBeTruthy()
    expect(page.asked).not.toContain('PUT /api/presentation')
    await userEvent.keyboard(' ')
    expect(page.asked).toContain('PUT /api/presentation')
  })

  it('goes on when the presenter leaves it, and is ended on the session’s page', async () => {
    const page = openPage(`${base}?present`, {
      ...answers,
      'DELETE /api/presentation': { body: { presentation: null } },
    })
    show(page)
    await step('Why packets grow')
    await userEvent.keyboard('{Escape}')
    expect(await screen.findByText('You are presenting this session')).toBeTruthy()
    expect(page.asked).not.toContain('DELETE /api/presentation')
    await userEvent.click(screen.getByRole('button', { name: 'End the talk' }))
    expect(page.asked).toContain('DELETE /api/presentation')
    page.send({ type: 'presentation', presentation: null })
    expect(screen.queryByText('You are presenting this session')).toBeNull()
  })
})
