// @vitest-environment happy-dom
import { aLab, aSession, ended, logged, runOf, started } from '@expresslane/shared/test/builders'
import type { RunEvent } from '@expresslane/shared/run/events'
import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { openPage } from './open-page.tsx'

const lab = aLab()
const toDo = lab.steps.filter(({ action }) => action !== null)
const session = { id: aSession, labId: lab.id, testbed: 'netns', owner: 'owner', createdAt: 1 }
const me = { id: 'owner', role: 'instructor', name: 'Instructor', workshop: false, mostSeconds: null }
const passed: RunEvent = {
  type: 'step.checked',
  outcome: { passed: true, sentence: 'Done.', observations: [], hint: null },
}
const runs = toDo.map(({ id }, place) =>
  runOf(logged([started({ stepId: id }), passed, ended], 1 + place * 10, `r_0000000${place}`)),
)

async function buttons(records: boolean, shown: unknown[], of: object = {}): Promise<string[]> {
  openPage(`/labs/${lab.id}/sessions/${aSession}/summary`, {
    'GET /api/me': { body: { ...me, records } },
    'GET /api/labs': { body: { labs: [lab], problems: [], testbeds: ['netns'] } },
    [`GET /api/sessions/${aSession}`]: {
      body: { session: { ...session, ...of }, runs: shown, incarnation: 'one', seq: 100 },
    },
  })
  await screen.findByRole('heading', { name: 'What you found out' })
  const found = screen.queryAllByRole('link', { name: 'Get a signed record' })
  return found.map((link) => link.getAttribute('href') ?? '')
}

describe('the button for a signed record', () => {
  it('is on the page of a complete lab, and downloads the record', async () => {
    expect(runs.length).toBeGreaterThan(0)
    expect(await buttons(true, runs)).toEqual(['/api/me/record'])
  })

  it.each([
    ['on a server that signs none', false, runs, {}],
    ['before every step has passed', true, runs.slice(1), {}],
    ['on the page of somebody else’s lab', true, runs, { owner: 'ada' }],
  ])('is absent %s', async (_where, records, shown, of) => {
    expect(await buttons(records, shown, of)).toEqual([])
  })
})
