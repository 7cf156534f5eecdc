// @vitest-environment happy-dom
/** The slide of a second opinion, for each kind of experiment. */
import type { RunEvent } from '@expresslane/shared/run/events'
import { aSession, ended, logged, runOf } from '@expresslane/shared/test/builders'
import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { asking, faster, fewer, opinionOn, type Rates } from '@expresslane/shared/test/second-opinion'
import { openPage } from '../pages/open-page.tsx'
import { aTalk } from '../talk.ts'

const [run, opinion] = ['r_00000001', 'r_00000002']
const session = { id: aSession, labId: 'big-tcp-ipv4', testbed: 'netns', owner: 'owner', createdAt: 1 }

function present(here: Rates, counted: Rates, sizes?: readonly number[]) {
  const talk = aTalk({ stepId: 'preflight' })
  const of = sizes && { sizes }
  const mine: RunEvent[] = asking(here, { over: { stepId: 'preflight', params: { opinion: true } }, ...of })
  const events = logged([...mine, ended], 1, run)
  openPage(`/labs/big-tcp-ipv4/sessions/${aSession}/preflight?present`, {
    [`GET /api/sessions/${aSession}`]: {
      body: { session, runs: [runOf(events)], incarnation: 'one', seq: events.length },
    },
    'GET /api/presentation': { body: { presentation: talk } },
    [`GET /api/runs/${run}/opinion`]: { body: { runId: opinion } },
    [`GET /api/runs/${opinion}`]: {
      body: { run: runOf(logged([...opinionOn(run, counted, { ...of }), ended], 1000, opinion)) },
    },
  }).send({ type: 'presentation', presentation: talk })
}

const line = async (): Promise<string> =>
  ((await screen.findByText(/^Second opinion/)).textContent ?? '').replaceAll('\u{a0}', ' ')

describe('the second opinion on a slide', () => {
  it('is both figures and whether they agree, for two arms', async () => {
    present(faster, fewer)
    expect(await line()).toMatch(
      /^Second opinion: 20 % faster here \(.*\); 10\.7 % fewer instructions \(.*\)\. Both say so\.$/,
    )
  })

  it('says that two arms disagree', async () => {
    present(faster, { off: 200, on: 180 })
    expect(await line()).toMatch(/They disagree\.$/)
  })

  it('counts what several arms agree in, and names those that disagree', async () => {
    present({ off: 10_000, on: 12_000, more: 10_010 }, { off: 200, on: 224, more: 250 })
    expect(await line()).toBe('Second opinion: both say so: 1 of 2; only the instructions differ: 1 of 2 (more).')
  })

  it('counts all cells of a sweep', async () => {
    present({ off: 10_000, on: 12_000, more: 12_010 }, { off: 200, on: 224, more: 250 }, [16_000, 80_000])
    expect(await line()).toBe('Second opinion: both say so: all 4.')
  })
})
