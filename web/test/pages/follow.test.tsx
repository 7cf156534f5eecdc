// @vitest-environment happy-dom
import { aLab, aSession, ended, logged, runOf, started, testbed } from '@expresslane/shared/test/builders'
import { allExhibits, probing } from '@expresslane/shared/test/exhibits'
import type { Presentation } from '@expresslane/shared/wire/presentation'
import type { SessionView } from '@expresslane/shared/wire/protocol'
import { streamClose } from '@expresslane/shared/wire/stream'
import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { StoreContext } from '../../src/api/live.tsx'
import { FollowPage } from '../../src/follow/index.ts'
import { aTalk } from '../talk.ts'
import { hello } from '../api/fake-network.ts'
import { openPage, refusal, type Answer } from './open-page.tsx'

const checked = logged([
  started({ stepId: 'preflight' }),
  {
    type: 'step.checked',
    outcome: { passed: true, sentence: 'All checks passed.', observations: [], hint: null },
  },
  ended,
])

const lab = aLab({
  steps: aLab().steps.map((step) => (step.id === 'why' ? { ...step, prose: 'A packet holds **64 KiB**.' } : step)),
})

const session: SessionView = {
  session: { id: aSession, labId: lab.id, testbed: testbed().id, owner: 'owner', createdAt: aTalk().startedAt },
  runs: [runOf(checked)],
  incarnation: 'one',
  seq: 3,
}

function follow(over: Record<string, Answer | Promise<Answer>> = {}, connected = true) {
  const page = openPage(
    '/follow',
    {
      'GET /api/presentation': { body: { presentation: null } },
      'GET /api/labs': { body: { labs: [lab], problems: [], testbeds: [] } },
      [`GET /api/sessions/${aSession}`]: { body: session },
      ...over,
    },
    {
      connected,
      show: (store) => (
        <StoreContext.Provider value={store}>
          <FollowPage />
        </StoreContext.Provider>
      ),
    },
  )
  return { ...page, present: (now: Presentation | null) => page.send({ type: 'presentation', presentation: now }) }
}

const heading = (name: string) => screen.findByRole('heading', { level: 2, name })

describe('the page of a follower', () => {
  it('waits for the talk, and shows its step and what was there before', async () => {
    const { present, network } = follow()
    expect(screen.getByText(/Nothing is presented yet/)).toBeTruthy()
    present(aTalk())
    await heading('Why packets grow')
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('BIG TCP over IPv4')
    expect(screen.getByText('64 KiB').tagName).toBe('STRONG')
    present(aTalk({ stepId: 'preflight' }))
    await heading('Check the testbed')
    expect(screen.getByText('All checks passed.')).toBeTruthy()
    expect(network.line().open).toBe(true)
  })

  it('asks for the lab again when the answer is from before the talk, as the browser asked early', async () => {
    const early = Promise.withResolvers<Answer>()
    const { present, answer } = follow({ 'GET /api/labs': early.promise })
    present(aTalk())
    answer('GET /api/labs', { body: { labs: [lab], problems: [], testbeds: [] } })
    early.resolve({ body: { labs: [], problems: [], testbeds: [] } })
    await heading('Why packets grow')
  })

  it('shows what happens while it is open', async () => {
    const { present, send } = follow({ [`GET /api/sessions/${aSession}`]: { body: { ...session, runs: [], seq: 0 } } })
    present(aTalk({ stepId: 'preflight' }))
    await heading('Check the testbed')
    expect(screen.queryByText('All checks passed.')).toBeNull()
    send({ type: 'events', events: checked })
    expect(await screen.findByText('All checks passed.')).toBeTruthy()
  })

  it('shows what a probe found', async () => {
    const { present } = follow({
      [`GET /api/sessions/${aSession}`]: {
        body: { ...session, runs: [runOf(logged(probing(allExhibits, 'preflight')))] },
      },
    })
    present(aTalk({ stepId: 'preflight' }))
    await screen.findByText('One packet on both sides')
    for (const { title } of allExhibits) expect(screen.getByText(title)).toBeTruthy()
    expect(screen.getByText('The page came through.')).toBeTruthy()
  })

  it('looks around while the presenter goes on, and comes back', async () => {
    const { present } = follow()
    present(aTalk())
    await heading('Why packets grow')
    await userEvent.click(screen.getByRole('button', { name: 'Look around' }))
    await userEvent.click(screen.getByRole('button', { name: 'Next step' }))
    await heading('Check the testbed')
    await userEvent.click(screen.getByRole('button', { name: 'Previous step' }))
    await heading('Why packets grow')
    present(aTalk({ stepId: 'preflight' }))
    await heading('Why packets grow')
    await userEvent.click(screen.getByRole('button', { name: 'Back to live' }))
    await heading('Check the testbed')
  })

  it('says that the presenter paused, and that the talk is over', async () => {
    const { present } = follow()
    present(aTalk())
    await heading('Why packets grow')
    present(aTalk({ blank: true }))
    expect(screen.getByText(/has blanked the screen/)).toBeTruthy()
    expect(screen.queryByRole('heading', { level: 2, name: 'Why packets grow' })).toBeNull()
    present(null)
    expect(screen.getByText('The talk is over')).toBeTruthy()
    await heading('Why packets grow')
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Step' }), 'preflight')
    expect(await screen.findByText('All checks passed.')).toBeTruthy()
  })

  it('waits again when the talk ends before it is loaded', async () => {
    const { present } = follow({ [`GET /api/sessions/${aSession}`]: refusal(404, { message: 'Not found.' }) })
    present(aTalk())
    expect((await screen.findByRole('alert')).textContent).toContain('Not found.')
    present(null)
    expect(screen.queryByRole('alert')).toBeNull()
    expect(screen.getByText(/Nothing is presented yet/)).toBeTruthy()
  })

  it('says how old what it shows is while it has no connection', async () => {
    const { present, network, send, happens } = follow()
    present(aTalk())
    await heading('Why packets grow')
    happens(() => network.line().breakOff())
    expect(screen.getByText('No connection')).toBeTruthy()
    expect(screen.getByText(/What you see is .* old/)).toBeTruthy()
    happens(() => network.pass())
    send(hello(3))
    expect(screen.queryByText('No connection')).toBeNull()
    await heading('Why packets grow')
  })

  it('says that access was taken back, and offers to come back with a code', async () => {
    const { present, network, happens } = follow({
      'POST /api/join': refusal(403, { message: 'This code is not valid.', remedy: 'Ask for another one.' }),
    })
    present(aTalk())
    await heading('Why packets grow')
    happens(() => network.line().breakOff(streamClose.revoked))
    expect(screen.getByRole('alert').textContent).toBe('This browser has no access any more')
    await userEvent.type(await screen.findByRole('textbox', { name: 'Code' }), 'ABCD')
    await userEvent.click(screen.getByRole('button', { name: 'Follow' }))
    expect(await screen.findByText(/This code is not valid/)).toBeTruthy()
  })

  it('asks a stranger for the code', async () => {
    const { network, happens } = follow({}, false)
    network.allowed = false
    happens(() => network.line().breakOff())
    expect(await screen.findByText('This page needs the presenter’s link')).toBeTruthy()
  })
})

describe('the presenter’s question', () => {
  const poll = {
    stepId: 'why',
    question: 'Faster or slower?',
    open: true,
    answers: { faster: 4, slower: 1, 'no-difference': 0 },
  }

  it('is answered, and shows the tally only after that', async () => {
    const answered = { ...poll, answers: { ...poll.answers, slower: 2 } }
    const { present, asked } = follow({
      'POST /api/presentation/answers': { body: { presentation: aTalk({ poll: answered }) } },
    })
    present(aTalk({ poll }))
    const faster = await screen.findByRole('button', { name: 'Faster' })
    await userEvent.click(screen.getByRole('button', { name: 'Slower' }))
    expect(asked).toContain('POST /api/presentation/answers')
    present(aTalk({ poll: answered }))
    expect(await screen.findByRole('button', { name: /Slower\s*2/, pressed: true })).toBeTruthy()
    expect(faster.textContent).toBe('Faster4')
  })

  it('is closed when the result is there', async () => {
    const { present } = follow()
    present(aTalk({ poll: { ...poll, open: false } }))
    const faster = await screen.findByRole('button', { name: /Faster\s*4/ })
    expect(faster.hasAttribute('disabled')).toBe(true)
    expect(screen.getByText(/Answers are closed/)).toBeTruthy()
  })

  it('says when an answer did not arrive', async () => {
    const { present } = follow({ 'POST /api/presentation/answers': 'unreachable' })
    present(aTalk({ poll }))
    await userEvent.click(await screen.findByRole('button', { name: 'Faster' }))
    expect(await screen.findByText(/did not arrive/)).toBeTruthy()
  })
})
