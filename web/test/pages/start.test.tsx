// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { aLab, aSession, ended, logged, repeatStarted, started, testbed } from '@expresslane/shared/test/builders'
import { testbedId } from '@expresslane/shared/testbed/id'
import { aRecording } from '../recording.ts'
import { openPage } from './open-page.tsx'

const [first, second] = [
  aLab({ track: 'bigger-packets' }),
  aLab({ id: 'next-lab', title: 'The next lab', track: 'bigger-packets' }),
]
const playing = testbedId.parse('recording:one')
const mine = aLab({ id: 'mine', title: 'My lab', origin: 'own', file: 'my-labs/mine.md' })
const verdict = {
  metric: 'tps',
  changePercent: 12.4,
  verdict: 'improved',
  comparisons: 1,
  improved: 1,
  worse: 0,
  sentence: 'Faster.',
  at: 5,
}
const picture = {
  verdict: 'improved',
  words: '11.8 % faster',
  title: 'Transactions per second',
  arms: [
    { arm: 'off', label: 'Without BIG TCP', place: 0, median: '10,000 TPS', at: [0, 0.1] },
    { arm: 'on', label: 'With BIG TCP', place: 1, median: '11,180 TPS', at: [0.9, 1] },
  ],
}
const [why, preflight] = aLab().steps
const benchmark = { tool: 'tcp-rr', requestBytes: 1, responseBytes: 1 }
const measure = {
  kind: 'measure',
  arm: 'off',
  case: { id: 'one', label: 'One', family: 'ipv4', benchmark },
  repeats: { default: 4, min: 1, max: 9 },
  seconds: { default: 1, min: 1, max: 9 },
}
const toured = [
  why,
  preflight,
  { ...preflight, id: 'baseline', title: 'Baseline', action: measure },
  { ...preflight, id: 'compare', title: 'Compare', action: { kind: 'compare' } },
]

function session(over: Record<string, unknown> = {}) {
  const head = { id: aSession, labId: first.id, testbed: 'netns', owner: 'owner', createdAt: 1 }
  return { ...head, lastRunAt: 2, passedSteps: [], verdict: null, ...over }
}

function served(sessions: unknown[], labs = [first, second, mine], recordings: unknown[] = []) {
  return {
    'GET /api/labs': { body: { labs, problems: [], testbeds: ['netns', 'kubernetes:kind', 'recording'] } },
    'GET /api/testbeds/kubernetes:kind': { body: testbed({ id: 'kubernetes:kind', kind: 'kubernetes' }) },
    'GET /api/testbeds/recording': { body: testbed({ id: 'recording', kind: 'recording' }) },
    'GET /api/sessions': { body: { sessions } },
    'GET /api/recordings': { body: { recordings } },
  }
}

const card = async (name: string) => within(await screen.findByRole('article', { name }))
const filled = () => [...document.querySelectorAll('[data-variant="filled"]')].map((one) => one.textContent)

beforeEach(() => localStorage.clear())

describe('the start page', () => {
  it('has the labs in tracks, and a lab without one below your own', async () => {
    openPage('/', served([]))
    const track = within(await screen.findByRole('region', { name: 'Bigger packets' }))
    expect(track.getAllByRole('article').map((one) => one.querySelector('h3')?.textContent)).toEqual([
      'BIG TCP over IPv4',
      'The next lab',
    ])
    const own = within(screen.getByRole('region', { name: 'Your own labs' }))
    expect(own.getByText('your own lab, my-labs/mine.md')).toBeTruthy()
  })

  it('has one primary button: for a new person it starts the first lab', async () => {
    openPage('/', served([]))
    expect(await screen.findByRole('button', { name: 'Start the first lab: BIG TCP over IPv4' })).toBeTruthy()
    await (await card('The next lab')).findByRole('button', { name: 'Start: The next lab on this machine' })
    expect(filled()).toEqual(['Start the first lab'])
    expect((await card('My lab')).getByText('Not begun')).toBeTruthy()
  })

  it('continues where one was, and says how far that is', async () => {
    openPage('/', served([session()]))
    const on = await screen.findByRole('link', { name: 'Continue with step 2 of BIG TCP over IPv4' })
    expect(on.getAttribute('href')).toBe(`/labs/big-tcp-ipv4/sessions/${aSession}`)
    expect((await card('BIG TCP over IPv4')).getByText('Step 2 of 2')).toBeTruthy()
    expect(filled()).toEqual(['Continue'])
  })

  it('names the next lab after a finished one, with the verdict as a figure', async () => {
    openPage('/', served([session({ passedSteps: ['preflight'], verdict })]))
    const next = within(await screen.findByRole('region', { name: 'What comes next' }))
    expect(await next.findByText('12.4 % faster')).toBeTruthy()
    expect(next.getByRole('button', { name: 'Start the next lab: The next lab' })).toBeTruthy()
    const done = await card('BIG TCP over IPv4')
    expect(done.getByText('Done')).toBeTruthy()
    expect(await done.findByText('12.4 % faster')).toBeTruthy()
  })

  it('takes no playback for progress, unless recordings are the place', async () => {
    openPage('/', served([session({ testbed: playing })], [first], [aRecording]))
    expect(await (await card('BIG TCP over IPv4')).findByText('Not begun')).toBeTruthy()
    await userEvent.click(screen.getByRole('radio', { name: 'A recording' }))
    expect((await card('BIG TCP over IPv4')).getByText('Step 2 of 2')).toBeTruthy()
  })

  it('keeps the place for the next visit, and has the other places a click away', async () => {
    const page = served([], [first, second], [aRecording])
    openPage('/', page)
    const lab = await card('BIG TCP over IPv4')
    expect(await lab.findByRole('button', { name: 'Start: BIG TCP over IPv4 on cluster kind' })).toBeTruthy()
    await userEvent.click(screen.getByRole('radio', { name: 'A recording' }))
    expect(localStorage.getItem('place')).toBe('recording')
    expect(await (await card('The next lab')).findByText(/^A recording: No recording of this lab/)).toBeTruthy()
    expect(screen.getByText('plays 1 of 2 labs')).toBeTruthy()
    expect((await card('BIG TCP over IPv4')).getByRole('button', { name: /on this machine$/ }).textContent).toBe(
      'this machine',
    )
  })

  it('draws the result of a lab’s recording, and no picture without one', async () => {
    openPage('/', served([], [first, second], [{ ...aRecording, picture }]))
    const lab = await card('BIG TCP over IPv4')
    expect(await lab.findByText('11.8 % faster')).toBeTruthy()
    const [off, on] = lab.getAllByRole('listitem')
    expect([off?.textContent, on?.textContent]).toEqual(['Without BIG TCP10,000 TPS', 'With BIG TCP11,180 TPS'])
    expect([off, on].map((one) => one?.dataset['hue'])).toEqual(['off', 'on'])
    expect(off?.querySelectorAll('circle')).toHaveLength(2)
    expect((await card('The next lab')).queryByRole('figure')).toBeNull()
  })
})

describe('the tour', () => {
  const labs = [aLab({ track: 'bigger-packets', steps: toured }), second]
  const begun = session({ testbed: playing })
  const { lastRunAt: _at, passedSteps: _passed, verdict: _verdict, ...head } = begun
  const view = { session: head, runs: [], incarnation: null, seq: 0 }
  const answers = {
    ...served([], labs, [{ ...aRecording, lastsMs: 400_000, picture }]),
    'POST /api/sessions': { status: 201, body: view },
    ...Object.fromEntries(
      ['preflight', 'compare'].map((stepId) => [
        `POST /api/sessions/${aSession}/steps/${stepId}/run`,
        { status: 202, body: { runId: 'r_00000001', stepId, queue: null } },
      ]),
    ),
    [`GET /api/sessions/${aSession}`]: { body: view },
    'GET /api/testbeds/recording:one': { body: testbed({ id: 'recording:one', kind: 'recording', context: 'one' }) },
  }

  it('can be skipped, and never comes again', async () => {
    openPage('/', answers)
    await userEvent.click(await screen.findByRole('button', { name: 'Skip' }))
    expect(screen.queryByRole('region', { name: 'New here?' })).toBeNull()
    expect(localStorage.getItem('tour')).toBe('seen')
  })

  it('plays the recording with captions, and leads back', async () => {
    const page = openPage('/', answers)
    await userEvent.click(await screen.findByRole('button', { name: 'Watch how a lab works (60 s)' }))
    const tour = within(await screen.findByRole('complementary', { name: 'Tour' }))
    expect(tour.getByRole('status').textContent).toMatch(/^1 of 3/)
    page.send({
      type: 'events',
      events: logged([started({ sessionId: aSession, stepId: 'preflight', testbed: playing }), repeatStarted()]),
    })
    expect(tour.getByRole('status').textContent).toMatch(/^2 of 3/)
    page.send({ type: 'events', events: logged([ended], 3) })
    await userEvent.click(tour.getByRole('link', { name: 'End the tour' }))
    expect(await screen.findByRole('region', { name: 'Bigger packets' })).toBeTruthy()
    expect(screen.queryByRole('region', { name: 'New here?' })).toBeNull()
  })

  it('is not offered to a person who has begun a lab', async () => {
    openPage('/', { ...answers, 'GET /api/sessions': { body: { sessions: [session()] } } })
    await screen.findByRole('link', { name: /^Continue with/ })
    expect(screen.queryByRole('region', { name: 'New here?' })).toBeNull()
  })
})
