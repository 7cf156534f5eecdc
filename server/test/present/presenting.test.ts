/** A presentation: set, changed, kept over a restart; polls and followers. */
import type { Presentation } from '@expresslane/shared/wire/presentation'
import { describe, expect, it } from 'vitest'
import { linkOwner } from '../../src/access/principal.ts'
import { COUNT_EVERY_MS } from '../../src/present/current-talk.ts'
import { beginSession, dataDir, openRig, runStep } from '../support/deps.ts'
import { openTalk } from '../support/runs/talk.ts'

/** Somebody with an address of their own. */
const voter = (id: string, network = `192.0.2.${id}`) => ({ id, network })
const viewer = (id: string) => ({ principal: { id, role: 'viewer' as const, name: id }, close: () => {} })

describe('a presentation', () => {
  it('shows a session at a step, and follows commands', async () => {
    const { presenting, session, clock } = await openTalk()
    expect(presenting.current()).toBeNull()
    const begun = presenting.begin(session, 'why')
    expect(begun).toEqual({
      sessionId: session.id,
      labId: 'big-tcp-ipv4',
      testbed: 'netns',
      stepId: 'why',
      startedAt: clock.now(),
      stepSince: clock.now(),
      blank: false,
      pathWide: false,
      autopilot: { state: 'off', pace: 1, until: null, problem: null },
      poll: null,
      followers: 0,
    })
    clock.advance(60_000)
    expect(presenting.command({ do: 'go', stepId: 'preflight' }, linkOwner)).toEqual({
      ...begun,
      stepId: 'preflight',
      stepSince: begun.stepSince + 60_000,
    })
    expect(presenting.command({ do: 'blank', on: true }, linkOwner)).toMatchObject({ blank: true, pathWide: false })
    expect(presenting.command({ do: 'widen-path', on: true }, linkOwner)).toMatchObject({ blank: true, pathWide: true })
    presenting.end()
    expect(presenting.current()).toBeNull()
  })

  it('refuses a step that the lab does not have, and commands while nothing is presented', async () => {
    const { presenting, session } = await openTalk()
    expect(() => presenting.command({ do: 'blank', on: true }, linkOwner)).toThrowError(
      expect.objectContaining({ code: 'not_presented' }),
    )
    expect(() => presenting.begin(session, 'gone')).toThrowError(expect.objectContaining({ code: 'not_found' }))
    presenting.begin(session, 'why')
    expect(() => presenting.command({ do: 'go', stepId: 'gone' }, linkOwner)).toThrowError(
      expect.objectContaining({ code: 'not_found' }),
    )
    expect(presenting.current()?.stepId).toBe('why')
  })

  it('reports each change once', async () => {
    const { presenting, session } = await openTalk()
    const news: (Presentation | null)[] = []
    const unsubscribe = presenting.subscribe((one) => news.push(one))
    presenting.begin(session, 'why')
    presenting.begin(session, 'why')
    presenting.command({ do: 'go', stepId: 'why' }, linkOwner)
    presenting.command({ do: 'blank', on: false }, linkOwner)
    expect(news).toHaveLength(1)
    presenting.end()
    expect(news.at(-1)).toBeNull()
    unsubscribe()
    presenting.begin(session, 'why')
    expect(news).toHaveLength(2)
  })

  it('keeps its beginning in the same session, and begins again with another one', async () => {
    const { presenting, session, deps, clock } = await openTalk()
    const { startedAt } = presenting.begin(session, 'why')
    clock.advance(1_000)
    expect(presenting.begin(session, 'compare').startedAt).toBe(startedAt)
    const other = await beginSession(deps, 'how-big')
    expect(presenting.begin(other, 'why')).toMatchObject({ labId: 'how-big', startedAt: startedAt + 1_000 })
  })

  it('survives a restart; autopilot does not go on by itself', async () => {
    const data = dataDir()
    const before = await openTalk({ data })
    before.presenting.begin(before.session, 'why')
    before.presenting.command({ do: 'blank', on: true }, linkOwner)
    const shown = before.presenting.command({ do: 'autopilot', on: true, pace: 2 }, linkOwner)
    await before.deps.close()
    const after = openRig({ data }).deps.presenting.current()
    expect(after).toMatchObject({ sessionId: shown.sessionId, stepId: 'why', startedAt: shown.startedAt, blank: true })
    expect(after?.autopilot).toMatchObject({ state: 'stopped', pace: 2, problem: expect.stringMatching(/restarted/) })
  })

  it('ends with its session', async () => {
    const data = dataDir()
    const before = await openTalk({ data })
    before.presenting.begin(before.session, 'why')
    await before.deps.close()
    before.sql(`PRAGMA foreign_keys = ON; DELETE FROM sessions WHERE id = '${before.session.id}'`)
    expect(openRig({ data }).deps.presenting.current()).toBeNull()
  })
})

describe('the question to the room', () => {
  async function asked() {
    const rig = await openTalk()
    rig.presenting.begin(rig.session, 'compare')
    return rig
  }

  it('is open before the comparison; one answer a person, and the last one counts', async () => {
    const { presenting, shown } = await asked()
    expect(shown().poll).toMatchObject({ stepId: 'compare', open: true, answers: { faster: 0 } })
    presenting.answer(voter('ann'), { stepId: 'compare', answer: 'faster' })
    presenting.answer(voter('ben'), { stepId: 'compare', answer: 'faster' })
    presenting.answer(voter('ann'), { stepId: 'compare', answer: 'no-difference' })
    expect(shown().poll?.answers).toEqual({ faster: 1, slower: 0, 'no-difference': 1 })
  })

  it('takes back the answer of somebody who left, while it is open', async () => {
    const { presenting, shown, deps, session } = await asked()
    for (const id of ['ann', 'ben']) presenting.answer(voter(id), { stepId: 'compare', answer: 'faster' })
    presenting.withdraw('ann')
    expect(shown().poll?.answers.faster).toBe(1)
    await runStep(deps, session, 'compare', true)
    presenting.withdraw('ben')
    expect(shown().poll).toMatchObject({ open: false, answers: { faster: 1 } })
  })

  it('counts from one address no more than ten answers, or twice as many as people from there followed at once', async () => {
    const { presenting, shown, deps } = await asked()
    const network = '192.0.2.1'
    const answer = (id: string) => presenting.answer(voter(id, network), { stepId: 'compare', answer: 'faster' })
    presenting.answer(voter('cid'), { stepId: 'compare', answer: 'slower' })
    for (let index = 0; index < 50; index += 1) answer(`p${index}`)
    expect(shown().poll?.answers).toEqual({ faster: 10, slower: 1, 'no-difference': 0 })
    const leaves = Array.from({ length: 8 }, (_, index) => deps.presence.enter({ ...viewer(`q${index}`), network }))
    answer('q0')
    // Their phones sleep after they have answered.
    for (const leave of leaves) leave()
    for (let index = 0; index < 50; index += 1) answer(`r${index}`)
    expect(shown().poll?.answers).toEqual({ faster: 16, slower: 1, 'no-difference': 0 })
  })

  it('is answered at its step only', async () => {
    const { presenting } = await asked()
    const answer = (): unknown => presenting.answer(voter('ann'), { stepId: 'baseline', answer: 'faster' })
    expect(answer).toThrowError(expect.objectContaining({ code: 'poll_closed' }))
    presenting.command({ do: 'go', stepId: 'baseline' }, linkOwner)
    expect(answer).toThrowError(expect.objectContaining({ code: 'poll_closed' }))
  })

  it('closes with the comparison, keeps its tally, and a reset asks again', async () => {
    const { presenting, shown, deps, session } = await asked()
    presenting.answer(voter('ann'), { stepId: 'compare', answer: 'faster' })
    await runStep(deps, session, 'compare', true)
    expect(shown().poll).toMatchObject({ open: false, answers: { faster: 1 } })
    expect(() => presenting.answer(voter('ben'), { stepId: 'compare', answer: 'slower' })).toThrowError(
      expect.objectContaining({ code: 'poll_closed' }),
    )
    const { runId } = await deps.scheduler.reset(session)
    await deps.scheduler.settled(runId)
    expect(shown().poll).toMatchObject({ open: true, answers: { faster: 0 } })
  })

  it('is counted at most once a second, so that a full room causes few frames', async () => {
    const { presenting, clock } = await asked()
    const tallies: number[] = []
    presenting.subscribe((one) => tallies.push(one?.poll?.answers.faster ?? 0))
    for (let index = 0; index < 50; index += 1)
      presenting.answer(voter(`p${index}`), { stepId: 'compare', answer: 'faster' })
    expect(tallies).toEqual([])
    clock.advance(COUNT_EVERY_MS)
    expect(tallies).toEqual([50])
  })
})

it('counts the people who follow', async () => {
  const { presenting, session, shown, deps, clock } = await openTalk()
  presenting.begin(session, 'why')
  const counts: number[] = []
  presenting.subscribe((one) => counts.push(one?.followers ?? 0))
  deps.presence.enter(viewer('ann'))
  deps.presence.enter(viewer('ann'))
  const leave = deps.presence.enter(viewer('ben'))
  deps.presence.enter({ ...viewer('cid'), principal: { id: 'cid', role: 'participant', name: 'Cid' } })
  expect(shown().followers).toBe(2)
  clock.advance(COUNT_EVERY_MS)
  leave()
  clock.advance(COUNT_EVERY_MS)
  expect(counts).toEqual([2, 1])
})
