/** A feature that no product file knows: its metric and its tool go all the way from an event to every report. */
import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { compareCases } from '../../src/compare/cases.ts'
import type { Feature } from '../../src/features/feature.ts'
import { planIssues } from '../../src/features/plan.ts'
import { lab } from '../../src/labs/lab.ts'
import { experimentPlan } from '../../src/measure/experiment.ts'
import { measurement } from '../../src/measure/measurement.ts'
import { recordRuns, recording } from '../../src/recordings/recording.ts'
import { runReport } from '../../src/report/build.ts'
import { writeReport } from '../../src/report/file.ts'
import type { RunEvent } from '../../src/run/events.ts'
import { resultOfRun } from '../../src/run/result.ts'
import { reduceRun, type RunState } from '../../src/run/run-state.ts'
import { testbedFacts } from '../../src/testbed/testbed.ts'
import { session } from '../../src/wire/protocol.ts'
import { options } from '../report/samples.ts'
import { logged, started } from '../samples.ts'

const naps = vi.hoisted(() => ({
  id: 'naps',
  tool: 'nap-loop',
  metric: 'napsPerMinute',
}))

vi.mock('../../src/features/registry.ts', async (original) => {
  const { features } = await original<{ features: readonly Feature[] }>()
  const own: Feature = {
    id: naps.id,
    name: 'Naps',
    settings: [
      {
        id: 'nap-length',
        label: 'Length of a nap',
        schema: z.number().int().min(0).max(60),
        off: 0,
        capability: null,
        format: (value) => `${String(value)} s`,
        control: {
          kind: 'choice',
          options: [
            [0, 'none'],
            [10, '10 s'],
          ],
        },
      },
    ],
    capabilities: [],
    roles: ['client'],
    metrics: [
      {
        id: naps.metric,
        name: 'Naps',
        short: 'Naps',
        noun: 'naps',
        unit: '1/min',
        better: 'more',
        words: { more: 'sleepier', less: 'more awake' },
        format: (value) => `${value.toFixed(0)} naps a minute`,
        say: (value) => `${value.toFixed(0)} naps a minute`,
        axis: { title: 'Naps a minute', unit: 'naps', divisor: 1 },
        step: () => 1,
        column: 'naps_per_minute',
        source: 'sleep',
      },
    ],
    benchmarks: [
      {
        tool: naps.tool,
        name: 'nap loop',
        does: 'one nap after another',
        schema: z.strictObject({ tool: z.literal(naps.tool), pillow: z.boolean() }),
        parameters: [{ key: 'pillow', column: 'pillow' }],
        compared: [naps.metric],
        charts: [[naps.metric]],
        beside: [naps.metric],
        figures: [naps.metric],
        columns: [naps.metric],
        brief: [naps.metric],
        live: naps.metric,
        caption: 'naps a minute',
        sampled: [],
        note: null,
        describe: ({ pillow }) => ({ label: 'Pillow', value: pillow === true ? 'yes' : 'no' }),
        usual: { tool: naps.tool, pillow: true },
        subject: () => 'naps on a sofa',
        capability: null,
      },
    ],
    proof: () => [],
    nameArm: () => ({ id: 'nap', label: 'Nap' }),
    phrase: () => 'with a nap',
  }
  return { features: [...features, own] }
})

const benchmark = { tool: naps.tool, pillow: true }
const plan = experimentPlan.parse({
  arms: [
    { id: 'awake', label: 'Awake', settings: { 'nap-length': 0 } },
    { id: 'napping', label: 'Napping', settings: { 'nap-length': 10 } },
  ],
  cases: [{ id: 'sofa', label: 'Sofa', family: 'ipv4', benchmark }],
  design: { order: 'interleaved', repeats: 4, seconds: 1, warmups: 0, budget: null },
})
const rates = { awake: [2, 3, 2, 3], napping: [20, 22, 21, 23] }
const taken = Object.entries(rates).flatMap(([arm, values], place) =>
  values.map((value, index) =>
    measurement.parse({
      arm,
      caseId: 'sofa',
      family: 'ipv4',
      repeat: index * 2 + place + 1,
      startedAt: 1,
      elapsedSeconds: 1,
      benchmark,
      values: { [naps.metric]: value },
    }),
  ),
)
const comparisons = compareCases(plan, 'sequential', taken, 'all')
const facts = testbedFacts.parse({
  kind: 'netns',
  name: 'this machine',
  incarnation: 'one',
  kernel: '6.18',
  os: 'Debian',
  cpu: { model: 'x', count: 2, governor: null },
  load: 0,
  nodes: [],
  versions: {},
})
const events: RunEvent[] = [
  started({ stepId: 'nap' }),
  { type: 'facts.read', facts },
  { type: 'experiment.planned', plan },
  ...taken.flatMap((one): RunEvent[] => {
    const { arm, caseId, family, repeat, warmup } = one
    const sample = { atSeconds: 0.5, seconds: null, omitted: false, values: one.values }
    return [
      { type: 'repeat.started', arm, caseId, family, warmup, benchmark, repeat, repeats: 8, seconds: 1 },
      { type: 'sample.taken', repeat, sample },
      { type: 'measurement.taken', measurement: one },
    ]
  }),
  { type: 'cases.compared', comparisons },
  { type: 'run.ended', state: 'completed', problem: null },
]

function fold(all: RunEvent[]): RunState {
  const run = logged(all).reduce<RunState | null>(reduceRun, null)
  if (run === null) throw new Error('no events')
  return run
}

describe('a feature of one’s own', () => {
  it('has its plan checked by its own schemas', () => {
    expect(planIssues(plan)).toEqual([])
    const wrong = { ...plan, cases: plan.cases.map((one) => ({ ...one, benchmark: { tool: naps.tool, pillow: 7 } })) }
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
    expect(lab.safeParse(read).error).toBeUndefined()
  })

  it('is compared by its own metric, in its own words', () => {
    const [only] = comparisons
    expect(only?.comparison).toMatchObject({ verdict: 'improved', tool: naps.tool, rows: [{ metric: naps.metric }] })
    expect(only?.comparison.sentence).toContain('Awake: 3 naps a minute; Napping: 22 naps a minute. That is sleepier')
  })

  it('is in the result and in every report', () => {
    const run = fold(events)
    expect(resultOfRun(run, [], [])?.measurements).toHaveLength(8)
    const of = session.parse({ id: 's_00000001', labId: 'naps', testbed: 'netns', createdAt: 1, owner: 'owner' })
    const report = runReport(of, { run, events: logged(events) }, [], options)
    const csv = writeReport(report, 'csv').split('\r\n')
    expect(csv[0]).toContain('naps_per_minute')
    expect(csv[0]).toContain('pillow')
    expect(csv).toHaveLength(10)
    expect(writeReport(report, 'md')).toContain('| Naps | 3 naps a minute | 22 naps a minute |')
    const html = writeReport(report, 'html')
    expect(html).toContain('at most 23 naps a minute')
    expect(html).toContain('<th scope="col">Naps</th>')
  })

  it('is recorded, and read again', () => {
    const made = recordRuns('Naps', 'naps', [logged(events)])
    const read = recording.parse(JSON.parse(JSON.stringify(made)))
    const again = fold(read.runs.flatMap((one) => one.events.map(({ event }) => event)))
    expect(resultOfRun(again, [], [])).toEqual(resultOfRun(fold(events), [], []))
  })
})
