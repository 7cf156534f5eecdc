// @vitest-environment happy-dom
/** A participant's form warns of a run that is too long, before Run is pressed. */
import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { aLab, aSession, clusterFacts, testbed } from '@expresslane/shared/test/builders'
import { openPage } from './open-page.tsx'

const facts = clusterFacts([], { kind: 'netns', name: 'This machine', kernel: '6.18', cluster: null })
const own = {
  'GET /api/me': { body: { id: 'p1', role: 'participant', name: 'Ada', workshop: true, mostSeconds: 120 } },
  'GET /api/testbeds/netns@p1': { body: testbed({ id: 'netns@p1', facts }) },
}
const isOff = async (name: string | RegExp) => (await screen.findByRole('button', { name })).hasAttribute('disabled')

async function enter(label: string, value: string): Promise<void> {
  const field = await screen.findByRole('textbox', { name: label })
  await userEvent.clear(field)
  await userEvent.type(field, value)
  await userEvent.tab()
}

describe('a step that measures', () => {
  const [first] = aLab().steps
  const benchmark = { tool: 'tcp-rr', requestBytes: 1, responseBytes: 1 }
  const action = {
    kind: 'measure',
    arm: 'off',
    case: { id: 'rr', label: 'One byte', family: 'ipv4', benchmark },
    repeats: { default: 6, min: 1, max: 20 },
    seconds: { default: 5, min: 1, max: 120 },
  }
  const steps = ['baseline', 'again'].map((id) => ({ ...first, id, title: id, action, actionLabel: `Measure ${id}` }))
  const session = { id: aSession, labId: 'big-tcp-ipv4', testbed: 'netns@p1', owner: 'p1', createdAt: 1 }
  const answers = {
    ...own,
    'GET /api/labs': { body: { labs: [aLab({ steps })], problems: [], testbeds: ['netns@p1'] } },
    [`GET /api/sessions/${aSession}`]: { body: { session, runs: [], incarnation: 'one', seq: 0 } },
  }
  const open = (stepId: string, more = {}) =>
    openPage(`/labs/big-tcp-ipv4/sessions/${aSession}/${stepId}`, { ...answers, ...more })

  it('says what it measures and what it can, and which number of repeats fits', async () => {
    open('baseline')
    expect(await screen.findByText('Measures 30 s of at most 120 s.')).toBeTruthy()
    expect(await isOff('Measure baseline')).toBe(false)
    await enter('Seconds each', '50')
    expect(
      (await screen.findByText(/^Too long: it measures 300 s, and your runs can measure 120 s/)).textContent,
    ).toContain('With 2 repeats it fits.')
    expect(await isOff('Measure baseline')).toBe(true)
    await enter('Repeats', '2')
    expect(await screen.findByText('Measures 100 s of at most 120 s.')).toBeTruthy()
    expect(await isOff('Measure baseline')).toBe(false)
  })

  it('can be run alone where the steps of Solve are too long together', async () => {
    open('again')
    await enter('Seconds each', '15')
    expect(await screen.findByText(/together they measure 180 s, and a run can measure 120 s/)).toBeTruthy()
    expect(await isOff('Solve')).toBe(true)
    expect(await isOff('Measure again')).toBe(false)
  })

  it('has no limit for an instructor', async () => {
    const me = { id: 'owner', role: 'instructor', name: 'Instructor', workshop: true, mostSeconds: null }
    open('baseline', { 'GET /api/me': { body: me } })
    await enter('Seconds each', '50')
    expect(await isOff('Measure baseline')).toBe(false)
    expect(screen.queryByText(/^Too long/)).toBeNull()
    expect(screen.queryByText(/of at most/)).toBeNull()
  })
})

it('says on the Bench page that a plan is too long, and does not run it', async () => {
  openPage('/bench', { ...own, 'GET /api/labs': { body: { labs: [], problems: [], testbeds: ['netns@p1'] } } })
  expect(await screen.findByText('Measures 9 s of at most 120 s.')).toBeTruthy()
  expect(await isOff('Run')).toBe(false)
  await enter('Seconds each', '10')
  // 2 arms × (8 repeats + 1 warm-up) × 10 s
  const long = await screen.findByText(/^Too long: it measures 180 s/)
  expect(long.textContent).toContain('With 5 repeats it fits.')
  expect(await isOff('Run')).toBe(true)
})
