/** The runs of a recording on one axis: each time has the state that the events up to it fold to. */
import { parseRecording } from '@expresslane/shared/recordings/recording'
import { createFold } from '@expresslane/shared/run/fold'
import type { RunState } from '@expresslane/shared/run/run-state'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bytes, opened, timeline, unfolded } from './opened.ts'

const recorded = parseRecording(new TextDecoder().decode(bytes))
const { lastsMs } = timeline
const time = fc.integer({ min: 0, max: lastsMs })

/** The states after more events, as the page's store folds them. */
function after(states: readonly RunState[], from: number, to: number): RunState[] {
  const folds = new Map(states.map((state) => [state.id, createFold(state)]))
  for (const logged of timeline.between(from, to)) {
    const fold = folds.get(logged.runId) ?? createFold()
    fold.add(logged)
    folds.set(logged.runId, fold)
  }
  return [...folds.values()].flatMap((fold) => fold.state() ?? [])
}

describe('the axis', () => {
  it('has every run, one after the other, as long as it was', () => {
    expect(timeline.runs.map(({ stepId }) => stepId)).toEqual(recorded.runs.map(({ stepId }) => stepId))
    const lengths = recorded.runs.map(({ events }) => events.at(-1)?.at)
    expect(timeline.runs.map(({ from, to }) => to - from)).toEqual(lengths)
    const pairs = timeline.runs.slice(1).map((run, index) => [timeline.runs[index]?.to ?? 0, run.from] as const)
    for (const [to, from] of pairs) expect(from).toBeGreaterThan(to)
  })

  it('has no run at its start, and all runs as they ended at its end', () => {
    expect(timeline.moment(0)).toEqual({ runs: [], datapath: null })
    const { runs, datapath } = timeline.moment(lastsMs)
    expect(runs.map(({ state }) => state)).toEqual(
      recorded.runs.map(({ events }) => {
        const last = events.at(-1)?.event
        return last?.type === 'run.ended' ? last.state : null
      }),
    )
    expect(runs.find(({ stepId }) => stepId === 'compare')?.comparisons).toHaveLength(1)
    expect(datapath).not.toBeNull()
  })

  it('has the runs that were folded while the file was checked as those that are read from it', () => {
    expect(timeline.moment(lastsMs)).toEqual(unfolded.moment(lastsMs))
    expect(timeline.moment(lastsMs).runs.map(({ endedAt }) => endedAt)).not.toContain(null)
  })

  it('shows the runs as runs of its session and testbed', () => {
    for (const run of timeline.moment(lastsMs).runs) {
      expect(run).toMatchObject({ sessionId: opened.sessionId, testbed: opened.testbed, labId: 'big-tcp-ipv6' })
    }
  })

  it('has the same state whether one plays up to a time or goes there', () => {
    fc.assert(
      fc.property(time, time, (one, other) => {
        const [from, to] = [Math.min(one, other), Math.max(one, other)]
        expect(after(timeline.moment(from).runs, from, to)).toEqual(timeline.moment(to).runs)
      }),
      { numRuns: 60 },
    )
  })
})

describe('the search', () => {
  it('finds lines whatever their case, with the time at which they came', () => {
    const hits = timeline.find('NETPERF version', 10)
    expect(hits.length).toBeGreaterThan(0)
    for (const { run, at, text } of hits) {
      expect(text.toLowerCase()).toContain('netperf version')
      expect(
        timeline
          .moment(at)
          .runs.find(({ id }) => id === run)
          ?.log.map((line) => line.text),
      ).toContain(text)
      expect(
        timeline
          .moment(at - 1)
          .runs.find(({ id }) => id === run)
          ?.log.at(-1)?.text,
      ).not.toBe(text)
    }
  })

  it('stops at the most hits, and finds nothing where there is nothing', () => {
    expect(timeline.find('e', 3)).toHaveLength(3)
    expect(timeline.find('no such text in any line', 3)).toEqual([])
  })
})
