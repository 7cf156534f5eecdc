// @vitest-environment happy-dom
/** A session whose clock counts instructions: the page never shows time. */
import { cleanup, screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { counted, countedRecords } from '@expresslane/shared/test/counted-session'
import { ended, logged, measured, repeatStarted, runOf, started } from '@expresslane/shared/test/builders'
import { timeWords } from '@expresslane/shared/test/time-words'
import { openPage } from './open-page.tsx'

/** The texts of an element, and its labels, which are read aloud instead of them. */
function shownIn(element: Element): string {
  const labels = [...element.querySelectorAll('[aria-label]')].map((one) => one.getAttribute('aria-label') ?? '')
  const texts = [...element.querySelectorAll('*')].flatMap((one) =>
    one.closest('style') === null && one.children.length === 0 ? (one.textContent ?? '') : [],
  )
  return [...labels, ...texts, element.textContent ?? ''].join('\n')
}

function answerOf(index: number) {
  const run = countedRecords[index]?.run
  if (run === undefined) throw new Error('no such run')
  const events = counted.events.filter(({ runId }) => runId === run.id)
  return { id: run.id, route: `GET /api/runs/${run.id}`, body: { run, events } }
}

const [off, on, compared] = [answerOf(0), answerOf(1), answerOf(2)]
const routes = Object.fromEntries([off, on, compared].map(({ route, body }) => [route, { body }]))

describe('a run of the counted machine', () => {
  it.each([
    ['measures', on.id],
    ['compares', compared.id],
  ])('that %s is shown in instructions', async (_what, id) => {
    openPage(`/runs/${id}`, routes)
    const result = await screen.findByRole('region', { name: 'Result' })
    await within(result).findAllByText(/instructions/)
    const shown = shownIn(result)
    expect(timeWords(shown)).toEqual([])
    expect(shown).toContain('Counted in instructions, not in time')
    expect(shown).toContain('the work of a real network card are not counted')
  })

  it('is shown in instructions while it measures, before the first value is there', async () => {
    const from = on.body.events
    const until = from.findIndex(({ event }) => event.type === 'repeat.started')
    const events = from.slice(0, until + 1)
    openPage(`/runs/${on.id}`, { [on.route]: { body: { run: runOf(events), events } } })
    const result = await screen.findByRole('region', { name: 'Result' })
    await within(result).findByText(/transactions per billion instructions/)
    expect(timeWords(shownIn(result))).toEqual([])
  })

  it('is in the history in instructions', async () => {
    const values = { countedTps: 1_833.4, countedP99: 556_250, packetsPerRequest: 1.05 }
    const { sessionId, labId, stepId, testbed, startedAt, endedAt } = on.body.run
    const summary = {
      id: on.id,
      sessionId,
      labId,
      stepId,
      testbed,
      state: 'completed',
      startedAt,
      endedAt,
      passed: true,
      problem: null,
    }
    const taken = { arms: ['on'], family: 'ipv4', repeats: 5, tool: 'tcp-rr', values }
    openPage('/history', {
      'GET /api/runs': { body: { runs: [{ ...summary, measured: taken }], next: null, sessions: [] } },
    })
    const cell = (await screen.findByText('1,833 per billion instructions')).closest('td')
    expect(cell?.textContent).toContain('p99 556 k instructions')
    expect(timeWords(cell?.textContent ?? '')).toEqual([])
  })
})

describe('the compare page', () => {
  it('compares two counted runs in instructions', async () => {
    openPage(`/compare?a=${off.id}&b=${on.id}`, routes)
    const verdict = await screen.findByRole('group', { name: 'Verdict' })
    expect(verdict.textContent).toContain('Improved')
    const page = screen.getByRole('main')
    expect(timeWords(shownIn(page))).toEqual([])
    expect(page.textContent).toContain('Counted in instructions, not in time')
  })

  it('refuses to compare what counts instructions with what shows time', async () => {
    const id = 'r_00000009'
    const taken = logged(
      [started(), repeatStarted(), { type: 'measurement.taken', measurement: measured() }, ended],
      1,
      id,
    )
    const inTime = { [`GET /api/runs/${id}`]: { body: { run: runOf(taken), events: taken } } }
    for (const address of [`a=${id}&b=${on.id}`, `a=${on.id}&b=${id}`]) {
      openPage(`/compare?${address}`, { ...routes, ...inTime })
      expect((await screen.findByRole('alert')).textContent).toContain('These figures can’t be compared')
      expect(screen.getByRole('rowheader', { name: 'What is counted' })).toBeTruthy()
      expect(screen.queryByRole('group', { name: 'Verdict' })).toBeNull()
      cleanup()
    }
  })
})
