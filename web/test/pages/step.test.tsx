// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { sessionId, type RunEvent } from '@expresslane/shared/run/events'
import { describe, expect, it } from 'vitest'
import { aSession, logged, queued, started } from '@expresslane/shared/test/builders'
import { heldByOthers, openPage, refusal } from './open-page.tsx'

const session = { id: aSession, labId: 'big-tcp-ipv4', testbed: 'netns', owner: 'owner', createdAt: 1 }
const address = `/labs/big-tcp-ipv4/sessions/${aSession}/preflight`
const asked = `GET /api/sessions/${aSession}`
const walk = { [asked]: { body: { session, runs: [], incarnation: 'one', seq: 0 } } }
const run = `POST /api/sessions/${aSession}/steps/preflight/run`
const mine = started({ stepId: 'preflight' })
const theirs = started({ stepId: 'baseline', sessionId: sessionId.parse('s_00000002') })

const button = () => screen.findByRole('button', { name: 'Check' })
const events = (what: RunEvent[], from: number) => ({ type: 'events' as const, events: logged(what, from) })

describe('a step', () => {
  it('shows a placeholder while the session loads', async () => {
    openPage(address, { [asked]: 'pending' })
    expect(await screen.findByText(/^Loading/)).toBeTruthy()
  })

  it('says that there is no such session', async () => {
    openPage(address, { [asked]: refusal(404, { code: 'not_found', message: 'There is no session of that id.' }) })
    expect((await screen.findByRole('alert')).textContent).toContain('There is no session of that id.')
  })

  it('says why its action was refused', async () => {
    const problem = { code: 'step_not_ready', message: 'Deploy first.', remedy: 'Go back.' } as const
    openPage(address, { ...walk, [run]: refusal(409, problem) })
    await userEvent.click(await button())
    expect((await screen.findByRole('alert')).textContent).toMatch(/Deploy first\..*Go back\./)
  })

  it('says that the server does not answer, and runs it again', async () => {
    const page = openPage(address, { ...walk, [run]: 'unreachable' })
    await userEvent.click(await button())
    expect((await screen.findByRole('alert')).textContent).toContain('npm start')
    page.answer(run, { status: 202, body: { runId: 'r_00000001', stepId: 'preflight', queue: null } })
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(page.asked.filter((route) => route === run)).toHaveLength(2)
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('shows its progress in place of the button while it runs, and cancels it', async () => {
    const page = openPage(address, walk)
    await button()
    page.send(events([mine, { type: 'progress', subject: null, message: 'Reading the kernel', done: 1, total: 3 }], 1))
    expect((await screen.findByRole('status', { name: 'Progress' })).textContent).toContain('Reading the kernel')
    expect(screen.queryByRole('button', { name: 'Check' })).toBeNull()
    page.answer('POST /api/runs/r_00000001/cancel', {
      status: 202,
      body: { runId: 'r_00000001', stepId: 'preflight', queue: null },
    })
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
    expect(await screen.findByText(/^Cancelling/)).toBeTruthy()
    page.send(events([{ type: 'run.ended', state: 'cancelled', problem: null }], 3))
    expect(await button()).toBeTruthy()
  })

  it('shows who uses the testbed, and that a run would wait', async () => {
    const page = openPage(address, walk)
    await button()
    page.send(heldByOthers)
    expect(await screen.findByText(/waits in line and then starts automatically/)).toBeTruthy()
    expect((await button()).hasAttribute('disabled')).toBe(false)
    page.send({ type: 'holders', holders: [] })
    expect(screen.queryByText(/waits in line/)).toBeNull()
  })

  it('shows its place in line while it is queued, and cancels it', async () => {
    const page = openPage(address, walk)
    await button()
    page.send(events([theirs], 1))
    page.send({ type: 'events', events: logged([queued(2, 40)], 2, 'r_00000002') })
    const progress = await screen.findByRole('status', { name: 'Progress' })
    expect(progress.textContent).toContain('Waiting, 2nd in line')
    expect(screen.queryByRole('button', { name: 'Check' })).toBeNull()
    page.send({ type: 'events', events: logged([queued(1, null)], 3, 'r_00000002') })
    expect(progress.textContent).toContain('Waiting, next in line')
    const cancel = 'POST /api/runs/r_00000002/cancel'
    page.answer(cancel, { status: 202, body: { runId: 'r_00000002', stepId: 'preflight', queue: null } })
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
    expect(page.asked).toContain(cancel)
    const ended: RunEvent = { type: 'run.ended', state: 'cancelled', problem: null }
    page.send({ type: 'events', events: logged([ended], 4, 'r_00000002') })
    expect(await button()).toBeTruthy()
    // The step did not change.
    expect(screen.queryByText(/^Cancelled/)).toBeNull()
  })

  it('keeps its content when the connection is lost', async () => {
    const page = openPage(address, walk)
    await button()
    page.happens(() => page.network.line().breakOff())
    expect(screen.getByRole('status', { name: 'Connection' }).textContent).toBe('reconnecting')
    expect(await button()).toBeTruthy()
  })
})
