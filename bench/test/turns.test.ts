/** The conclusions of the benchmark of a full workshop from events. */
import { loggedEvent, type LoggedEvent } from '@expresslane/shared/run/events'
import { describe, expect, it } from 'vitest'
import { overlapsOf, waitsOf } from '../src/workshop/turns.ts'

const head = {
  sessionId: 's_00000001',
  labId: 'big-tcp-ipv4',
  stepId: 'baseline',
  testbed: 'netns@a',
  incarnation: 'one',
  params: {},
  solveTo: null,
}
const started = { type: 'run.started', ...head }
const queued = (expectedSeconds: number | null) => ({ type: 'run.queued', ...head, place: 1, expectedSeconds })
const ended = { type: 'run.ended', state: 'completed', problem: null }

/** @param all run, seconds and event, in order */
function logOf(all: readonly (readonly [string, number, object])[]): LoggedEvent[] {
  return all.map(([run, at, event], index) =>
    loggedEvent.parse({ seq: index + 1, runId: `r_0000000${run}`, at: at * 1000, event }),
  )
}

describe('the waits', () => {
  it('compare the first prediction with the start, and leave out what had none or never started', () => {
    const events = logOf([
      ['1', 0, queued(10)],
      ['2', 0, queued(null)],
      ['3', 0, queued(30)],
      ['1', 6, queued(4)],
      ['1', 11, started],
      ['2', 12, started],
      ['4', 12, started],
    ])
    expect(waitsOf(events)).toEqual([{ expected: 10, waited: 11 }])
  })
})

describe('the overlaps', () => {
  const measuring = new Set(['baseline'])

  it('are measurements that begin before another one has ended', () => {
    const turns = logOf([
      ['1', 0, started],
      ['1', 1, ended],
      ['2', 1, started],
      ['2', 2, ended],
    ])
    expect(overlapsOf(turns, measuring)).toBe(0)
    expect(overlapsOf(turns, new Set(['deploy']))).toBe(0)
    const both = logOf([
      ['1', 0, started],
      ['2', 1, started],
      ['1', 2, ended],
    ])
    expect(overlapsOf(both, measuring)).toBe(1)
  })
})
