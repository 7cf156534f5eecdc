// @vitest-environment happy-dom
/** A second opinion on an experiment: asked for in the form, and shown beside the verdict in each of its states. */
import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import type { RunEvent } from '@expresslane/shared/run/events'
import type { RunState } from '@expresslane/shared/run/run-state'
import { check, clusterFacts, ended, logged, queued, runOf, testbed } from '@expresslane/shared/test/builders'
import {
  asking,
  COUNTED,
  faster,
  fewer,
  notPrepared,
  opinionOn,
  type Rates,
} from '@expresslane/shared/test/second-opinion'
import { openPage, refusal } from './open-page.tsx'

const [run, opinion] = ['r_00000001', 'r_00000002']
const cancelled: RunEvent = { type: 'run.ended', state: 'cancelled', problem: null }

const here = (rates: Rates): RunState => runOf(logged([...asking(rates), ended], 1, run))

/** An opinion's run up to some event. */
function there(events: readonly RunEvent[]): RunState {
  return runOf(logged([...events], 1000, opinion))
}

const startedThere = (rates: Rates) => opinionOn(run, rates)

function served(mine: RunState, theirs: RunState | null) {
  return {
    [`GET /api/runs/${run}`]: { body: { run: mine } },
    [`GET /api/runs/${run}/opinion`]: { body: { runId: theirs === null ? null : opinion } },
    ...(theirs === null ? {} : { [`GET /api/runs/${opinion}`]: { body: { run: theirs } } }),
  }
}

const panel = () => screen.findByRole('region', { name: 'Second opinion' })

describe('a second opinion', () => {
  it('is a sentence beside the verdict, and says that both agree', async () => {
    openPage(`/runs/${run}`, served(here(faster), there([...startedThere(fewer), ended])))
    const shown = await panel()
    expect(shown.textContent?.replaceAll('\u{a0}', ' ')).toMatch(
      /20 % faster here \(1\d to 2\d\); 10\.7 % fewer instructions/,
    )
    expect(shown.textContent).toContain('Both say the same.')
    expect(within(shown).getByRole('link', { name: 'Show its run' }).getAttribute('href')).toBe(`/runs/${opinion}`)
  })

  it('says what a disagreement can mean', async () => {
    openPage(`/runs/${run}`, served(here(faster), there([...startedThere({ off: 200, on: 180 }), ended])))
    expect((await panel()).textContent).toContain('They disagree.')
  })

  it('is a list where there are several comparisons', async () => {
    const [mine, theirs] = [
      { off: 10_000, on: 12_000, more: 10_010 },
      { off: 200, on: 224, more: 250 },
    ]
    openPage(`/runs/${run}`, served(here(mine), there([...startedThere(theirs), ended])))
    const items = within(await panel()).getAllByRole('listitem')
    expect(items).toHaveLength(2)
    expect(items[0]?.textContent).toContain('Both say so')
    expect(items[1]?.textContent).toContain('Only the instructions differ')
    expect((await panel()).textContent).toContain('1 of 2 disagree')
  })

  it('can be asked for where the server did not get to it', async () => {
    const page = openPage(`/runs/${run}`, {
      ...served(here(faster), null),
      [`POST /api/runs/${run}/opinion`]: refusal(429, { code: 'queue_full', message: 'You have too many runs.' }),
    })
    const button = await screen.findByRole('button', { name: 'Ask for it now' })
    await userEvent.click(button)
    expect((await screen.findByRole('alert')).textContent).toContain('You have too many runs.')
    page.answer(`POST /api/runs/${run}/opinion`, { status: 202, body: { runId: opinion, stepId: 'run', queue: null } })
    page.answer(`GET /api/runs/${run}/opinion`, { body: { runId: opinion } })
    page.answer(`GET /api/runs/${opinion}`, { body: { run: there([...startedThere(fewer), ended]) } })
    await userEvent.click(button)
    expect(await screen.findByText(/10\.7 % fewer instructions/)).toBeTruthy()
  })

  it('shows its place in line, then that it starts, measures and has ended', async () => {
    const waits = { ...queued(2, null), testbed: COUNTED, params: { opinionOf: run } } as RunEvent
    const page = openPage(`/runs/${run}`, served(here(faster), there([waits])))
    expect((await panel()).textContent).toContain('Waiting, 2nd in line')
    const all = startedThere(fewer)
    const send = (events: readonly RunEvent[], from: number): void =>
      page.send({ type: 'events', events: logged([...events], from, opinion) })
    send(all.slice(0, 2), 1001)
    expect(await screen.findByText('It starts its virtual machine and makes the path.')).toBeTruthy()
    send(all.slice(2, 7), 1003)
    expect(await screen.findByText('Measurement 3 of 10')).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Cancel the second opinion' })).toBeTruthy()
    send([...all.slice(7), ended], 1008)
    expect(await screen.findByText(/10\.7 % fewer instructions/)).toBeTruthy()
  })

  it('appears when its run begins after the experiment has ended', async () => {
    const page = openPage(`/runs/${run}`, served(here(faster), null))
    await screen.findByText('No second opinion yet')
    page.answer(`GET /api/runs/${run}/opinion`, { body: { runId: opinion } })
    page.answer(`GET /api/runs/${opinion}`, { body: { run: there(startedThere(fewer).slice(0, 1)) } })
    page.send({ type: 'events', events: logged(startedThere(fewer).slice(0, 1), 1000, opinion) })
    expect(await screen.findByText('The counted machine gives a second opinion')).toBeTruthy()
  })

  it('says why it failed, with the command that helps, and can be asked for again', async () => {
    openPage(`/runs/${run}`, served(here(faster), there([...startedThere(fewer).slice(0, 1), notPrepared])))
    const shown = await panel()
    expect(shown.textContent).toContain('No kernel is prepared.')
    expect(shown.textContent).toContain('npm run kernel -- newest')
    expect(within(shown).getByRole('button', { name: 'Ask again' })).toBeTruthy()
  })

  it('says that it was cancelled, and can be asked for again', async () => {
    openPage(`/runs/${run}`, served(here(faster), there([...startedThere(fewer).slice(0, 4), cancelled])))
    const shown = await panel()
    expect(shown.textContent).toContain('The second opinion was cancelled')
    expect(within(shown).getByRole('button', { name: 'Ask again' })).toBeTruthy()
  })

  it('names the experiment on its own page', async () => {
    openPage(`/runs/${opinion}`, {
      [`GET /api/runs/${opinion}`]: { body: { run: there([...startedThere(fewer), ended]) } },
    })
    const link = await screen.findByRole('link', { name: 'an experiment on this machine' })
    expect(link.getAttribute('href')).toBe(`/runs/${run}`)
    expect(screen.queryByRole('region', { name: 'Second opinion' })).toBeNull()
  })
})

describe('the form', () => {
  const facts = clusterFacts([], { kind: 'netns', name: 'This machine', kernel: '6.18', cluster: null })
  const labs = { body: { labs: [], problems: [], testbeds: ['netns', 'counted'] } }
  const machine = (over: Parameters<typeof testbed>[0] = {}) => ({
    body: testbed({ id: 'counted', kind: 'counted', preflight: [check('passed')], ...over }),
  })
  const answers = {
    'GET /api/labs': labs,
    'GET /api/testbeds/netns': { body: testbed({ facts }) },
    'GET /api/testbeds/counted': machine(),
  }
  const box = () => screen.findByRole('checkbox', { name: 'Ask the counted machine, too' })

  it('offers it, and does not ask by itself', async () => {
    openPage('/bench', answers)
    expect(await box()).toMatchObject({ checked: false, disabled: false })
  })

  it('says why there is none, with the one command', async () => {
    const failed = check('failed', {
      title: 'QEMU is installed',
      remedy: 'Install it.',
      remedyCommand: 'apt-get install qemu-system-x86',
      blocks: 'all',
    })
    openPage('/bench', { ...answers, 'GET /api/testbeds/counted': machine({ preflight: [failed] }) })
    expect(await screen.findByText('apt-get install qemu-system-x86')).toBeTruthy()
    expect(await box()).toMatchObject({ disabled: true })
    expect(screen.getByText(/A check failed: “QEMU is installed”\. Install it\./)).toBeTruthy()
  })

  it('says what the counted machine lacks for the plan', async () => {
    const lacks = [{ capability: 'big-tcp-ipv4', reason: 'Its kernel is too old.' }]
    openPage('/bench', { ...answers, 'GET /api/testbeds/counted': machine({ capabilities: [], lacks }) })
    expect(await screen.findByText('Not available. Its kernel is too old.')).toBeTruthy()
  })

  it('does not offer it on the counted machine itself, nor where there is none', async () => {
    openPage('/bench', { ...answers, 'GET /api/labs': { body: { labs: [], problems: [], testbeds: ['netns'] } } })
    await screen.findByRole('button', { name: 'Run' })
    expect(screen.queryByRole('checkbox', { name: 'Ask the counted machine, too' })).toBeNull()
  })
})
