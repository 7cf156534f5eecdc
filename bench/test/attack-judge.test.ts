/** The figures about attacks: when the people of a room count as served, and when they do not. */
import { describe, expect, it, test } from 'vitest'
import { judge, withMissedRequests, type Seen } from '../src/faults/attacks/judge.ts'
import { quantile } from '../src/faults/imports/health.ts'

const EVERY_MS = 5
const served: Seen = {
  waits: Array.from({ length: 200 }, () => 3),
  before: { rss: 200, descriptors: 40 },
  most: { rss: 250, descriptors: 104 },
  startMs: 10_000,
  removalMs: 1000,
  serverErrors: 0,
  crashed: false,
  faults: [],
}

test('people who are served at the bounds are served', () => {
  expect(judge(served, EVERY_MS)).toEqual({
    bound: expect.stringContaining('<= +50 MB, <= +64 descriptors'),
    measured: 'p99 3 ms, 200 -> 250 MB, 40 -> 104 descriptors, run after 10.00 s, removal 1.00 s, 0 5xx',
    holds: true,
  })
})

test.each<readonly [string, Partial<Seen>, string]>([
  ['an attack that nobody watched', { waits: [] }, 'p99 0 ms'],
  ['waits', { waits: [...served.waits, ...Array.from({ length: 3 }, () => 260)] }, 'p99 255 ms'],
  ['memory', { most: { rss: 250.4, descriptors: 41 } }, '200 -> 250 MB'],
  ['descriptors', { most: { rss: 200, descriptors: 105 } }, '40 -> 105 descriptors'],
  ['a run that starts late', { startMs: 10_001 }, 'run after 10.00 s'],
  ['a run that does not start', { startMs: null }, 'run after never'],
  ['a removal that takes long', { removalMs: 1001 }, 'removal 1.00 s'],
  ['a removal that fails', { removalMs: null }, 'removal never'],
  ['an answer with 5xx', { serverErrors: 1 }, '1 5xx'],
  ['a crash', { crashed: true }, 'the server ended'],
  ['a fault of its own', { faults: ['a huge plan was accepted'] }, 'a huge plan was accepted'],
])('a figure does not hold with %s', (_title, change, says) => {
  const { measured, holds } = judge({ ...served, ...change }, EVERY_MS)
  expect(measured).toContain(says)
  expect(holds).toBe(false)
})

describe('a long wait', () => {
  it('counts as the waits of everybody who would have asked meanwhile', () => {
    expect(withMissedRequests([2, 12], EVERY_MS)).toEqual([2, 12, 7, 2])
  })

  it('is not hidden by the many short ones around it', () => {
    const waits = [...Array.from({ length: 999 }, () => 1), 3000]
    expect(quantile(waits, 0.99)).toBe(1)
    expect(quantile(withMissedRequests(waits, EVERY_MS), 0.99)).toBeGreaterThan(2900)
    expect(judge({ ...served, waits }, EVERY_MS).holds).toBe(false)
  })
})
