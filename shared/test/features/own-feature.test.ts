/** A feature that no product file knows: its metric and its tool go all the way from an event to every report. */
import { afterAll, describe, expect, it } from 'vitest'
import { abouts } from '../../src/features/abouts.ts'
import { planIssues } from '../../src/features/plan.ts'
import { features } from '../../src/features/registry.ts'
import { checkedLab } from '../../src/labs/checked.ts'
import { recordedEvent } from '../../src/recordings/recording.ts'
import { outputOf, runReport } from '../../src/report/build.ts'
import { reportPieces, type ReportFormat } from '../../src/report/file.ts'
import type { RunEvent } from '../../src/run/events.ts'
import { resultOfRun } from '../../src/run/result.ts'
import { reduceRun } from '../reduce-run.ts'
import type { RunState } from '../../src/run/run-state.ts'
import { session } from '../../src/wire/protocol.ts'
import { options } from '../report/samples.ts'
import { logged } from '../builders.ts'
import { allExhibits, probing } from '../exhibits.ts'
import { METRIC, naps, TOOL } from './naps.ts'
import { napsRun, plan } from './naps-run.ts'

afterAll(features.register(naps))
afterAll(abouts.register(naps))
const { comparisons, events } = napsRun()

/** The event as a recording has it. */
function recordedAndRead(event: RunEvent): RunEvent {
  return recordedEvent.parse(JSON.parse(JSON.stringify({ at: 1, event }))).event
}

function fold(all: RunEvent[]): RunState {
  const run = logged(all).reduce<RunState | null>(reduceRun, null)
  if (run === null) throw new Error('no events')
  return run
}

describe('a feature of one’s own', () => {
  it('has its plan checked by its own schemas', () => {
    expect(planIssues(plan)).toEqual([])
    const wrong = { ...plan, cases: plan.cases.map((one) => ({ ...one, benchmark: { tool: TOOL, pillow: 7 } })) }
    expect(planIssues(wrong)).toMatchObject([{ path: ['cases', 0, 'benchmark', 'pillow'] }])
    const text = { id: 'naps', title: 'Naps', question: '?', summary: '', listed: true, minutes: 1, needs: [] }
    const action = {
      kind: 'experiment',
      plan,
      repeats: { default: 4, min: 1, max: 9 },
      seconds: { default: 1, min: 1, max: 9 },
    }
    const step = { id: 'nap', title: 'Nap', prose: '', commands: [], action, actionLabel: 'Nap', hint: null }
    const read = { ...text, feature: naps.id, families: ['ipv4'], arms: plan.arms, steps: [step] }
    expect(checkedLab.safeParse(read).error).toBeUndefined()
    const probes = (probe: string) => ({
      ...read,
      steps: [{ ...step, action: { kind: 'probe', probe, arms: ['awake'] } }],
    })
    expect(checkedLab.safeParse(probes('pulse')).error).toBeUndefined()
    expect(checkedLab.safeParse(probes('snore')).error?.issues).toMatchObject([
      { path: ['steps', 0, 'action', 'probe'], message: 'the feature naps has no probe “snore”' },
    ])
  })

  it('is compared by its own metric, in its own words', () => {
    const [only] = comparisons
    expect(only?.comparison).toMatchObject({ verdict: 'improved', tool: TOOL, rows: [{ metric: METRIC }] })
    expect(only?.comparison.sentence).toContain('Awake: 3 naps a minute. Napping: 22 naps a minute. That is sleepier')
  })

  it('is in the result and in every report', () => {
    const run = fold(events)
    expect(resultOfRun(run, [], [])?.measurements).toHaveLength(8)
    const of = session.parse({ id: 's_00000001', labId: 'naps', testbed: 'netns', createdAt: 1, owner: 'owner' })
    const report = runReport(of, { run, output: outputOf(logged(events)) }, [], options)
    const writeReport = (format: ReportFormat): string => [...reportPieces(report, format)].join('')
    const csv = writeReport('csv').split('\r\n')
    expect(csv[0]).toContain('naps_per_minute')
    expect(csv[0]).toContain('pillow')
    expect(csv).toHaveLength(10)
    expect(writeReport('md')).toContain('| Naps | 3 naps a minute | 22 naps a minute |')
    const html = writeReport('html')
    expect(html).toContain('at most 23 naps a minute')
    expect(html).toContain('<th scope="col">Naps</th>')
    // The feature's arms are neither on nor off, in any chart.
    expect(html).toContain('var(--arm-2)"')
    expect(html).not.toMatch(/(fill|stroke)="var\(--(on|off)\)"/)
  })

  it('has what its probe found in the reports and in the recording', () => {
    const found = probing(allExhibits, 'pulse')
    const run = fold(found)
    const of = session.parse({ id: 's_00000001', labId: 'naps', testbed: 'netns', createdAt: 1, owner: 'owner' })
    const report = runReport(of, { run, output: [] }, [], options)
    for (const format of ['html', 'md', 'json'] as const) {
      const text = [...reportPieces(report, format)].join('')
      for (const { title } of allExhibits) expect(text).toContain(title)
    }
    expect(fold(found.map(recordedAndRead)).exhibits).toEqual(allExhibits)
  })

  it('is recorded, and read again', () => {
    const again = fold(logged(events).map(({ event }) => recordedAndRead(event)))
    expect(resultOfRun(again, [], [])).toEqual(resultOfRun(fold(events), [], []))
  })
})
