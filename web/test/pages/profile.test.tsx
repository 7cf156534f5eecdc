// @vitest-environment happy-dom
/** Profiles on the page: asked for where a step measures, and below the verdict. */
import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import type { RunEvent } from '@expresslane/shared/run/events'
import type { RunState } from '@expresslane/shared/run/run-state'
import { testbedId } from '@expresslane/shared/testbed/id'
import { aLab, aSession, ended, logged, runOf, testbed } from '@expresslane/shared/test/builders'
import { bigTcpProfiles } from '@expresslane/shared/test/profiled'
import { asking, faster } from '@expresslane/shared/test/second-opinion'
import { openPage } from './open-page.tsx'
import { aTalk } from '../talk.ts'

const run = 'r_00000001'
const made = bigTcpProfiles('rr-80000').map((of): RunEvent => ({ type: 'profile.made', ...of }))

describe('an experiment with profiles', () => {
  const events = asking(faster, { over: { params: {} } })
  const shows = (more: readonly RunEvent[], over: Partial<RunState> = {}) =>
    openPage(`/runs/${run}`, {
      [`GET /api/runs/${run}`]: { body: { run: { ...runOf(logged([...events, ...more], 1, run)), ...over } } },
    })

  it('says why its arms differ, once it has ended', async () => {
    const page = shows(made)
    await screen.findByRole('heading', { name: 'The experiment' })
    expect(screen.queryByRole('region', { name: 'Why?' })).toBeNull()
    page.send({ type: 'events', events: logged([ended], events.length + made.length + 1, run) })
    expect(await screen.findByRole('region', { name: 'Why?' })).toBeTruthy()
    expect(screen.getByText(/^A transaction takes 55,636 instructions fewer/)).toBeTruthy()
  })

  it('without profiles says nothing', async () => {
    shows([ended])
    await screen.findByRole('heading', { name: 'The experiment' })
    expect(screen.queryByRole('region', { name: 'Why?' })).toBeNull()
    expect(screen.queryByText(/^This recording has no profile/)).toBeNull()
  })

  it('from a recording without profiles says that there are none', async () => {
    shows([ended], { testbed: testbedId.parse('recording:big-tcp-ipv4') })
    expect(await screen.findByText(/^This recording has no profile, so it can’t say why/)).toBeTruthy()
  })
})

describe('a slide with a comparison', () => {
  it('says why in place of the other metrics', async () => {
    const talk = aTalk({ stepId: 'preflight' })
    const compared = asking(faster, { over: { stepId: 'preflight', params: {} } })
    const events = logged([...compared, ...made, ended], 1, run)
    const session = { id: aSession, labId: 'big-tcp-ipv4', testbed: 'netns', owner: 'owner', createdAt: 1 }
    openPage(`/labs/big-tcp-ipv4/sessions/${aSession}/preflight?present`, {
      [`GET /api/sessions/${aSession}`]: {
        body: { session, runs: [runOf(events)], incarnation: 'one', seq: events.length },
      },
      'GET /api/presentation': { body: { presentation: talk } },
    }).send({ type: 'presentation', presentation: talk })
    expect((await screen.findByText(/^Why\? A transaction takes 55,636 instructions fewer/)).textContent).toContain(
      'tcp_recvmsg_locked → __tcp_transmit_skb',
    )
  })
})

describe('the form of a step that measures', () => {
  const [first] = aLab().steps
  const action = {
    kind: 'measure',
    arm: 'off',
    case: {
      id: 'rr',
      label: 'One byte',
      family: 'ipv4',
      benchmark: { tool: 'tcp-rr', requestBytes: 1, responseBytes: 1 },
    },
    repeats: { default: 6, min: 1, max: 20 },
    seconds: { default: 5, min: 1, max: 120 },
  }
  const steps = ['baseline', 'again'].map((id) => ({ ...first, id, title: id, action, actionLabel: `Measure ${id}` }))
  const open = (over: Parameters<typeof testbed>[0], id: 'netns' | 'counted' = 'netns') => {
    const session = { id: aSession, labId: 'big-tcp-ipv4', testbed: id, owner: 'owner', createdAt: 1 }
    openPage(`/labs/big-tcp-ipv4/sessions/${aSession}/baseline`, {
      'GET /api/labs': { body: { labs: [aLab({ steps })], problems: [], testbeds: [id] } },
      [`GET /api/testbeds/${id}`]: { body: testbed({ ...over, id }) },
      [`GET /api/sessions/${aSession}`]: { body: { session, runs: [], incarnation: 'one', seq: 0 } },
      [`POST /api/sessions/${aSession}/steps/baseline/run`]: 'pending',
    })
  }
  const box = () => screen.queryByRole('checkbox', { name: 'Profile each arm afterwards' })

  it.each([
    ['counted', /^Two more runs an arm, after the verdict/],
    ['netns', /^Two more runs an arm, after the verdict: samples/],
  ] as const)('asks for profiles where the testbed makes them: %s', async (id, words) => {
    open({ capabilities: ['big-tcp-ipv4', 'profile'] }, id)
    expect(await screen.findByText(words)).toBeTruthy()
    expect(box()).toMatchObject({ checked: false })
    await userEvent.click(screen.getByLabelText('Profile each arm afterwards'))
    expect(box()).toMatchObject({ checked: true })
  })

  it('says why there are none elsewhere', async () => {
    open({ lacks: [{ capability: 'profile', reason: 'It has no counter.' }] })
    expect(await screen.findByText('No profile here: It has no counter.')).toBeTruthy()
    expect(box()).toBeNull()
  })
})
