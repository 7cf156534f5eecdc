// @vitest-environment happy-dom
/** A second opinion on the page of a follower: live, from before, and in each of its states. */
import { ended, logged, runOf, aLab, aSession, testbed } from '@expresslane/shared/test/builders'
import { type RunEvent, sessionId } from '@expresslane/shared/run/events'
import type { RunState } from '@expresslane/shared/run/run-state'
import { screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { StoreContext } from '../../src/api/live.tsx'
import { FollowPage } from '../../src/follow/index.ts'
import {
  asking,
  COUNTED,
  faster,
  fewer,
  notPrepared,
  opinionOn,
  type Rates,
} from '@expresslane/shared/test/second-opinion'
import { aTalk } from '../talk.ts'
import { openPage, refusal, type Answer } from './open-page.tsx'

const [run, opinion] = ['r_00000001', 'r_00000002']
const elsewhere = { sessionId: sessionId.parse('s_00000002'), stepId: 'preflight', testbed: COUNTED }
const sizes = [16_000, 80_000]
const lab = aLab()

const mine = (rates: Rates, of?: readonly number[]): RunEvent[] =>
  asking(rates, { over: { stepId: 'preflight', params: { opinion: true } }, ...(of && { sizes: of }) })
const theirs = (rates: Rates, of?: readonly number[]): RunEvent[] =>
  opinionOn(run, rates, { over: { ...elsewhere, params: { opinionOf: run } }, ...(of && { sizes: of }) })

/** A follower who comes when the experiment has got this far. */
function follow(experiment: readonly RunEvent[], answers: Readonly<Record<string, Answer>> = {}) {
  const events = logged([...experiment], 1, run)
  const session = { id: aSession, labId: lab.id, testbed: testbed().id, owner: 'owner', createdAt: 1 }
  const view = { session, runs: [runOf(events)], incarnation: 'one', seq: events.length }
  const page = openPage(
    '/follow',
    {
      'GET /api/presentation': { body: { presentation: null } },
      'GET /api/labs': { body: { labs: [lab], problems: [], testbeds: [] } },
      [`GET /api/sessions/${aSession}`]: { body: view },
      ...answers,
    },
    {
      show: (store) => (
        <StoreContext.Provider value={store}>
          <FollowPage />
        </StoreContext.Provider>
      ),
    },
  )
  page.send({ type: 'presentation', presentation: aTalk({ stepId: 'preflight' }) })
  const send = (what: readonly RunEvent[], from: number, id: string): void =>
    page.send({ type: 'events', events: logged([...what], from, id) })
  return { ...page, send }
}

/** The server's answers about the second opinion when the follower comes. */
function known(state: RunState): Record<string, Answer> {
  return {
    [`GET /api/runs/${run}/opinion`]: { body: { runId: opinion } },
    [`GET /api/runs/${opinion}`]: { body: { run: state } },
  }
}
const there = (events: readonly RunEvent[]): RunState => runOf(logged([...events], 1000, opinion))
const panel = () => screen.findByRole('region', { name: 'Second opinion' })

describe('a second opinion, followed', () => {
  it('comes on the stream when it begins after the experiment, without asking', async () => {
    const whole = mine(faster)
    const { send, asked } = follow(whole.slice(0, -1))
    // The part of the page that compares loads after the rest.
    await screen.findByText(/^Bars show medians/)
    send([...whole.slice(-1), ended], 500, run)
    await screen.findByRole('group', { name: 'Verdict' })
    expect(screen.queryByRole('region', { name: 'Second opinion' })).toBeNull()
    const all = theirs(fewer)
    send(all.slice(0, 1), 1000, opinion)
    expect((await panel()).textContent).toContain('It starts its virtual machine')
    send(all.slice(1, 7), 1001, opinion)
    expect(await screen.findByText('Measurement 3 of 10')).toBeTruthy()
    send([...all.slice(7), ended], 1007, opinion)
    expect(await screen.findByText(/10\.7 % fewer instructions/)).toBeTruthy()
    expect(screen.getByText(/^Both say the same\./)).toBeTruthy()
    // The page of followers has no history and no buttons for it.
    expect(within(await panel()).queryByRole('link')).toBeNull()
    expect(within(await panel()).queryByRole('button')).toBeNull()
    expect(asked.filter((one) => one.includes('/opinion'))).toEqual([])
  })

  it('is asked for by who comes later', async () => {
    follow([...mine(faster), ended], known(there([...theirs({ off: 200, on: 180 }), ended])))
    expect((await panel()).textContent).toContain('They disagree.')
  })

  it('is a list where several arms are compared', async () => {
    const [here, counted] = [
      { off: 10_000, on: 12_000, more: 10_010 },
      { off: 200, on: 224, more: 250 },
    ]
    follow([...mine(here), ended], known(there([...theirs(counted), ended])))
    const items = within(await panel()).getAllByRole('listitem')
    expect(items.map((one) => one.lastElementChild?.textContent)).toEqual([
      'Both say so',
      'Only the instructions differ',
    ])
  })

  it('is a list of all cells of a sweep', async () => {
    const [here, counted] = [
      { off: 10_000, on: 12_000, more: 12_010 },
      { off: 200, on: 224, more: 250 },
    ]
    follow([...mine(here, sizes), ended], known(there([...theirs(counted, sizes), ended])))
    const shown = await panel()
    expect(shown.textContent).toContain('Second opinion: no disagreement')
    expect(within(shown).getAllByRole('listitem')[0]?.textContent).toContain('16 kB: on')
    expect(within(shown).getAllByRole('listitem')).toHaveLength(4)
  })

  it('says why there is none', async () => {
    follow([...mine(faster), ended], known(there([...theirs(fewer).slice(0, 1), notPrepared])))
    const shown = await panel()
    expect(shown.textContent).toContain('No second opinion')
    expect(shown.textContent).toContain('No kernel is prepared.')
  })

  it('is left out where the server can’t be asked, and the verdict stays', async () => {
    follow([...mine(faster), ended], { [`GET /api/runs/${run}/opinion`]: refusal(404, { code: 'not_found' }) })
    await screen.findByRole('group', { name: 'Verdict' })
    expect(screen.queryByRole('region', { name: 'Second opinion' })).toBeNull()
  })
})
