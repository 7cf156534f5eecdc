import { runsResponse, type RunsResponse } from '@expresslane/shared/wire/protocol'
import { describe, expect, it } from 'vitest'
import { withNewest } from '../../src/api/newest.ts'
import { linesOf } from '../../src/history/lines.ts'

const verdict = {
  metric: 'tps',
  changePercent: 9,
  verdict: 'improved',
  comparisons: 1,
  improved: 1,
  worse: 0,
  sentence: '',
}

/** A page of runs, each of a session: `3a 2b` are run 3 of session a and run 2 of session b. */
function page(words: string, done: readonly string[] = []): RunsResponse {
  const runs = words.split(' ').map((word) => ({
    id: `r_0000000${word.slice(0, -1)}`,
    sessionId: `s_0000000${word.at(-1)}`,
    labId: 'big-tcp-ipv4',
    stepId: 'baseline',
    testbed: 'netns',
    state: 'completed',
    startedAt: Number(word.slice(0, -1)),
    endedAt: null,
    passed: null,
    measured: null,
    problem: null,
  }))
  const sessions = [...new Set(runs.map(({ sessionId }) => sessionId))].map((id) => ({
    id,
    labId: 'big-tcp-ipv4',
    testbed: 'netns',
    createdAt: 1,
    verdict: done.includes(id.at(-1) ?? '') ? verdict : null,
  }))
  return runsResponse.parse({ runs, next: null, sessions })
}

const text = (pages: RunsResponse[]): string =>
  linesOf(pages)
    .map(({ head, run }) =>
      head === undefined ? run.startedAt : `${head.id.at(-1)}${head.verdict === null ? '' : '!'}`,
    )
    .join(' ')

describe('linesOf', () => {
  it('puts the runs of a session below its head', () => {
    expect(text([page('4a 3b 2a 1b')])).toBe('a 4 2 b 3 1')
  })

  it('continues the last session of a page on the next, and moves nothing above', () => {
    const first = page('8a 7b')
    expect(text([first])).toBe('a 8 b 7')
    expect(text([first, page('6a 5b 4b 3c')])).toBe('a 8 b 7 5 4 a 6 c 3')
  })

  it('shows the verdict of the newest answer on each head', () => {
    expect(text([page('3a 2b', ['a']), page('1a')])).toBe('a! 3 b 2 a! 1')
  })

  it('has each session once after many refreshes', () => {
    const kept = { pages: [page('2a 1b')], pageParams: [null] }
    const now = withNewest(withNewest(kept, page('3a 2a 1b', ['a'])), page('4a 3a 2a 1b', ['a']))
    expect(now.pages[0]?.sessions.map(({ id }) => id.at(-1))).toEqual(['a', 'b'])
    expect(text(now.pages)).toBe('a! 4 3 2 b 1')
  })
})
