import { type RunsResponse, type RunSummary, runSummary } from '@expresslane/shared/wire/protocol'
import { describe, expect, it } from 'vitest'
import { withNewest } from '../../src/api/newest.ts'

const id = (number: number) => `r_${String(number).padStart(8, '0')}`

const line = (number: number, state = 'completed'): RunSummary =>
  runSummary.parse({
    id: id(number),
    sessionId: 's_00000001',
    labId: 'big-tcp-ipv4',
    stepId: 'baseline',
    testbed: 'netns',
    state,
    startedAt: number,
    endedAt: null,
    passed: null,
    measured: null,
    problem: null,
  })

const page = (numbers: number[], more = true, state?: string): RunsResponse => ({
  runs: numbers.map((number) => line(number, state)),
  next: more ? line(numbers.at(-1) ?? 0).id : null,
  sessions: [],
})

const kept = { pages: [page([6, 5, 4], true, 'running'), page([3, 2, 1], false)], pageParams: [null, id(4)] }
const numbers = (of: { pages: RunsResponse[] }) => of.pages.map(({ runs }) => runs.map(({ startedAt }) => startedAt))

describe('withNewest', () => {
  it('puts new lines in front, renews those it knows, and keeps the rest', () => {
    const now = withNewest(kept, page([8, 7, 6]))
    expect(numbers(now)).toEqual([
      [8, 7, 6, 5, 4],
      [3, 2, 1],
    ])
    expect(now.pages[0]?.runs.map(({ state }) => state)).toEqual([
      'completed',
      'completed',
      'completed',
      'running',
      'running',
    ])
    expect(now.pages[0]?.next).toBe(kept.pages[0]?.next)
    expect(now.pageParams).toEqual(kept.pageParams)
  })

  it('starts again when runs are missing in between', () => {
    const now = withNewest(kept, page([12, 11, 10]))
    expect(numbers(now)).toEqual([[12, 11, 10]])
    expect(now.pageParams).toEqual([null])
  })

  it('takes a short history as it is, and no line twice', () => {
    expect(numbers(withNewest(kept, page([7, 6, 5, 4, 3], false)))).toEqual([
      [7, 6, 5, 4, 3],
      [2, 1],
    ])
  })
})
