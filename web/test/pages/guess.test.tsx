// @vitest-environment happy-dom
import type { Verdict } from '@expresslane/shared/compare/comparison'
import type { RunEvent } from '@expresslane/shared/run/events'
import { aLab, aSession, ended, logged, measured, repeatStarted, started } from '@expresslane/shared/test/builders'
import { caseCompared } from '@expresslane/shared/test/compare/case-compared'
import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openPage } from './open-page.tsx'

const step = { prose: '', commands: [], actionLabel: 'Run', hint: null }
const rr = {
  id: 'rr',
  label: '80 kB',
  family: 'ipv4',
  benchmark: { tool: 'tcp-rr', requestBytes: 80_000, responseBytes: 80_000 },
}
const size = { repeats: { default: 4, min: 1, max: 9 }, seconds: { default: 1, min: 1, max: 9 } }
const measure = (id: string, arm: string) => ({
  ...step,
  id,
  title: id,
  action: { kind: 'measure', arm, case: rr, ...size },
})
const lab = aLab({
  steps: [
    measure('baseline', 'off'),
    measure('again', 'on'),
    { ...step, id: 'compare', title: 'Compare', action: { kind: 'compare' }, question: 'Is BIG TCP faster?' },
  ],
})
const session = { id: aSession, labId: 'big-tcp-ipv4', testbed: 'netns', owner: 'owner', createdAt: 1 }
const answers = {
  'GET /api/labs': { body: { labs: [lab], problems: [], testbeds: ['netns'] } },
  [`GET /api/sessions/${aSession}`]: { body: { session, runs: [], incarnation: 'one', seq: 0 } },
}

function open(stepId: string, over: object = {}) {
  onTestFinished(() => localStorage.clear())
  return openPage(`/labs/big-tcp-ipv4/sessions/${aSession}/${stepId}`, { ...answers, ...over })
}

const passed: RunEvent = {
  type: 'step.checked',
  outcome: { passed: true, sentence: 'Compared.', observations: [], hint: null },
}
const baseline: RunEvent[] = [
  started(),
  repeatStarted(),
  { type: 'measurement.taken', measurement: measured() },
  passed,
  ended,
]

function compared(verdict: Verdict): RunEvent[] {
  const of = caseCompared({
    caseId: 'rr',
    against: 'off',
    arm: 'on',
    tool: 'tcp-rr',
    metric: 'tps',
    off: 100,
    on: 112.4,
  })
  const { comparison } = of
  const rows = comparison.rows.map((row) => ({ ...row, verdict }))
  const comparisons = [{ ...of, caseId: null, comparison: { ...comparison, verdict, rows } }]
  return [started({ stepId: 'compare' }), { type: 'cases.compared', comparisons }, passed, ended]
}

const question = () => screen.findByRole('heading', { name: 'Guess first: Is BIG TCP faster?' })
const gone = () => screen.queryByText(/Guess first/)

describe('a guess', () => {
  it('is asked before the first measurement that is compared, kept, and stands beside the verdict', async () => {
    const page = open('baseline')
    await question()
    await userEvent.click(screen.getByRole('button', { name: 'Faster' }))
    expect(screen.getByText(/^You guessed: faster\. You can change it/)).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Faster' }).getAttribute('aria-pressed')).toBe('true')
    expect(screen.queryByRole('button', { name: 'Skip' })).toBeNull()
    page.send({ type: 'events', events: logged(baseline) })
    expect(await screen.findByText('Passed')).toBeTruthy()
    expect(gone()).toBeNull()
    await userEvent.click(screen.getByRole('link', { name: /Compare/ }))
    await screen.findByRole('heading', { level: 2, name: 'Compare' })
    expect(screen.queryByText(/You guessed/)).toBeNull()
    page.send({ type: 'events', events: logged(compared('improved'), 10, 'r_00000002') })
    expect((await screen.findByText(/You guessed/)).textContent).toBe('You guessed: faster. Measured: 12.4 % faster.')
  })

  it('is not asked at a later measurement, nor again once it was skipped', async () => {
    open('again')
    await screen.findByRole('heading', { level: 2, name: 'again' })
    expect(gone()).toBeNull()
    await userEvent.click(screen.getByRole('link', { name: /baseline/ }))
    await question()
    await userEvent.click(screen.getByRole('button', { name: 'Skip' }))
    expect(gone()).toBeNull()
  })

  it('claims nothing that was not measured', async () => {
    localStorage.setItem(`guess ${aSession} compare`, 'slower')
    const page = open('compare')
    await screen.findByRole('heading', { level: 2, name: 'Compare' })
    page.send({ type: 'events', events: logged(compared('no-difference')) })
    const words = await screen.findByText(/You guessed/)
    expect(words.textContent).toBe('You guessed: slower. Measured: no difference seen.')
  })

  it('is left to the poll in a workshop', async () => {
    const me = { id: 'owner', role: 'instructor', name: 'Instructor', workshop: true, mostSeconds: null }
    open('baseline', {
      'GET /api/me': { body: me },
      'GET /api/room': 'pending',
    })
    await screen.findByRole('heading', { level: 2, name: 'baseline' })
    expect(gone()).toBeNull()
  })
})
