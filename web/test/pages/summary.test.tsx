// @vitest-environment happy-dom
import {
  aLab,
  aSession,
  ended,
  logged,
  measured,
  repeatStarted,
  runOf,
  started,
} from '@expresslane/shared/test/builders'
import { caseCompared } from '@expresslane/shared/test/compare/case-compared'
import type { RunEvent } from '@expresslane/shared/run/events'
import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { openPage } from './open-page.tsx'

const step = { prose: '', commands: [], action: null, actionLabel: null, hint: null }
const labs = [
  aLab({
    steps: [
      ...aLab().steps,
      ...['baseline', 'measure-on'].map((id) => ({ ...step, id, title: id })),
      { ...step, id: 'compare', title: 'Compare', action: { kind: 'compare' } },
    ],
  }),
  aLab({ id: 'bench', title: 'Bench', listed: false }),
  aLab({ id: 'packets', title: 'See the packets' }),
]
const session = { id: aSession, labId: 'big-tcp-ipv4', testbed: 'netns', owner: 'owner', createdAt: 1 }
const passed: RunEvent = {
  type: 'step.checked',
  outcome: { passed: true, sentence: 'Compared.', observations: [], hint: null },
}
const of = { caseId: 'rr', against: 'off', arm: 'on', tool: 'tcp-rr', metric: 'tps', off: 10_000, on: 12_000 } as const
const taken = (arm: string, at: number): RunEvent[] => [
  started({ stepId: arm === 'off' ? 'baseline' : 'measure-on' }),
  repeatStarted(1, { arm, benchmark: measured().benchmark }),
  { type: 'measurement.taken', measurement: measured({ arm, startedAt: at }) },
  passed,
  ended,
]
const compare: RunEvent[] = [
  started({ stepId: 'compare' }),
  { type: 'cases.compared', comparisons: [{ ...caseCompared(of), caseId: null }] },
  passed,
  ended,
]
const runs = [taken('off', 1), taken('on', 2), compare].map((events, place) =>
  runOf(logged(events, 1 + place * 10, `r_0000000${place}`)),
)

function open(shown: unknown[], address = `/labs/big-tcp-ipv4/sessions/${aSession}/summary`) {
  return openPage(address, {
    'GET /api/labs': { body: { labs, problems: [], testbeds: ['netns'] } },
    [`GET /api/sessions/${aSession}`]: { body: { session, runs: shown, incarnation: 'one', seq: 100 } },
  })
}

describe('the summary of a lab', () => {
  it('shows the verdict, the published figures, advice for a cluster and the next lab', async () => {
    open(runs)
    expect(await screen.findByRole('heading', { level: 1, name: 'What you found out' })).toBeTruthy()
    expect(screen.getByRole('group', { name: 'Verdict' }).textContent).toContain('+20.0 %')
    const card = screen.getByRole('region', { name: 'Compare' })
    expect(card.textContent).toContain('published')
    expect(screen.getAllByText(/^Isovalent/)[0]?.closest('[hidden]')).toBeNull()
    expect(screen.getByRole('region', { name: 'On your cluster' }).textContent).toContain('enableIPv4BIGTCP')
    expect(screen.getByRole('link', { name: 'Next lab: See the packets' }).getAttribute('href')).toBe('/#lab-packets')
  })

  it('is linked from the lab once there is a verdict, and says before that there is none', async () => {
    open([], `/labs/big-tcp-ipv4/sessions/${aSession}/compare`)
    const last = await screen.findByRole('link', { name: 'What you found out' })
    expect(screen.queryByRole('link', { name: 'Summary' })).toBeNull()
    last.click()
    expect(await screen.findByText('No verdict yet')).toBeTruthy()
  })

  it('is linked from the head of the lab after the comparison', async () => {
    open(runs, `/labs/big-tcp-ipv4/sessions/${aSession}/why`)
    const link = await screen.findByRole('link', { name: 'Summary' })
    expect(link.getAttribute('href')).toBe(`/labs/big-tcp-ipv4/sessions/${aSession}/summary`)
  })

  it('leaves a step of that name alone', async () => {
    const own = aLab({ steps: [{ ...step, id: 'summary', title: 'In short' }] })
    openPage(`/labs/big-tcp-ipv4/sessions/${aSession}/summary`, {
      'GET /api/labs': { body: { labs: [own], problems: [], testbeds: ['netns'] } },
      [`GET /api/sessions/${aSession}`]: { body: { session, runs: [], incarnation: 'one', seq: 0 } },
    })
    expect(await screen.findByRole('heading', { level: 2, name: 'In short' })).toBeTruthy()
  })
})

describe('what was found out in all labs', () => {
  const verdict = {
    metric: 'tps',
    changePercent: 12.44,
    verdict: 'improved',
    comparisons: 1,
    improved: 1,
    worse: 0,
    sentence: 'That is faster.',
    at: 5,
  }

  it('lists the own verdict of each lab, with its files', async () => {
    const listed = { ...session, lastRunAt: 5, passedSteps: [], verdict }
    const others = { ...listed, id: 's_00000002', owner: 'alice', verdict: { ...verdict, changePercent: 99, at: 9 } }
    openPage('/found', {
      'GET /api/labs': { body: { labs, problems: [], testbeds: ['netns'] } },
      'GET /api/sessions': { body: { sessions: [others, listed] } },
    })
    const card = await screen.findByRole('region', { name: 'BIG TCP over IPv4' })
    expect(card.textContent).toMatch(/12\.4 % faster.*That is faster\..*this machine/)
    expect(screen.getByRole('link', { name: 'Save as Markdown' }).getAttribute('href')).toBe(
      '/api/found/report?format=md',
    )
  })

  it('says that there is nothing yet', async () => {
    openPage('/found')
    expect(await screen.findByText('No lab has a verdict yet')).toBeTruthy()
    expect(screen.queryByRole('link', { name: /^Save/ })).toBeNull()
  })
})
