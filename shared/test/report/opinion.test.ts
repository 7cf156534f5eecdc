/** Reports of an experiment that has a second opinion. */
import { describe, expect, it } from 'vitest'
import { compareCases } from '../../src/compare/cases.ts'
import { storedValues } from '../../src/features/printed.ts'
import { experimentPlan } from '../../src/measure/experiment.ts'
import { reportPieces, type ReportFormat } from '../../src/report/file.ts'
import { report } from '../../src/report/model.ts'
import { runReport } from '../../src/report/build.ts'
import type { RunEvent } from '../../src/run/events.ts'
import type { RunState } from '../../src/run/run-state.ts'
import { testbedId } from '../../src/testbed/id.ts'
import { session } from '../../src/wire/protocol.ts'
import { aSession, ended, environment, logged, measured, repeatStarted, runOf, started } from '../builders.ts'
import { options } from './samples.ts'

const CLOCK = 125
const plan = experimentPlan.parse({
  arms: ['off', 'on'].map((id) => ({ id, label: id, settings: { 'big-tcp-ipv4': id === 'on' } })),
  cases: [
    {
      id: 'rr',
      label: '80 kB',
      family: 'ipv4',
      benchmark: { tool: 'tcp-rr', requestBytes: 80_000, responseBytes: 80_000 },
    },
  ],
  design: { order: 'interleaved', repeats: 5, seconds: 1, warmups: 0, budget: null },
})

function experiment(
  id: string,
  rates: readonly [number, number],
  over: Parameters<typeof started>[0],
  counted: boolean,
) {
  const fingerprint = counted ? environment({ instructionsPerMicrosecond: CLOCK }) : environment()
  const taken = plan.arms.flatMap(({ id: arm }, place) =>
    [0, 1, -1, 2, -2].map((step, index) => {
      const tps = (rates[place] ?? 0) * (1 + step * 0.001)
      const values = counted ? storedValues({ tps }, CLOCK) : { tps }
      return { ...measured({ arm, caseId: 'rr', repeat: place * 5 + index + 1, fingerprint }), values }
    }),
  )
  const events: RunEvent[] = [
    started({ stepId: 'run', ...over }),
    { type: 'experiment.planned', plan },
    ...taken.flatMap((measurement): RunEvent[] => [
      repeatStarted(measurement.repeat, { arm: measurement.arm, caseId: 'rr', benchmark: measurement.benchmark }),
      { type: 'measurement.taken', measurement },
    ]),
    { type: 'cases.compared', comparisons: compareCases(plan, 'interleaved', taken, 'all') },
    ended,
  ]
  return runOf(logged(events, 1, id))
}

const run = experiment('r_00000001', [10_000, 12_000], { params: { opinion: true } }, false)
const counted = testbedId.parse('counted')
const opinion = experiment('r_00000002', [200, 224], { testbed: counted, params: { opinionOf: run.id } }, true)
const of = session.parse({ id: aSession, labId: run.labId, testbed: 'netns', owner: 'owner', createdAt: 1 })

function reportWith(opinions: readonly RunState[]) {
  return runReport(of, { run, output: [] }, [], { ...options, opinions })
}

const textOf = (opinions: readonly RunState[], format: ReportFormat): string =>
  [...reportPieces(reportWith(opinions), format)].join('')

describe('a report of an experiment with a second opinion', () => {
  it('has it with the comparison, in JSON that is read back', () => {
    const made = report.parse(JSON.parse(textOf([opinion], 'json')))
    expect(made.comparisons[0]?.opinion).toMatchObject({
      runId: opinion.id,
      agreement: 'same',
      counted: { metric: 'countedTps', verdict: 'improved' },
    })
    expect(made.comparisons[0]?.opinion?.sentence).toMatch(/20\.0 % faster here \(.*\); 10\.7 % fewer instructions \(/)
  })

  it.each(['html', 'md'] as const)('says it below the verdict in %s', (format) => {
    const text = textOf([opinion], format).replaceAll('\\', '')
    expect(text).toContain('Second opinion: 20.0 % faster here')
    expect(text).toContain('Both say the same.')
  })

  it('has its columns in CSV, in the rows of the arm that was compared', () => {
    const [head = '', ...lines] = textOf([opinion], 'csv').trim().split('\r\n')
    const place = head.split(',').indexOf('opinion_agreement')
    expect(place).toBeGreaterThan(head.split(',').indexOf('verdict'))
    expect(lines.map((line) => line.split(',')[place])).toEqual([
      ...Array<string>(5).fill(''),
      ...Array<string>(5).fill('same'),
    ])
  })

  it('is as without one until that has completed, or if it is another run’s', () => {
    const plain = textOf([], 'csv')
    expect(plain).not.toContain('opinion_')
    const failed: RunState = { ...opinion, state: 'failed' }
    const others: RunState = { ...opinion, params: { opinionOf: 'r_00000009' } }
    for (const one of [failed, others]) {
      expect(textOf([one], 'csv')).toBe(plain)
      expect(textOf([one], 'html')).toBe(textOf([], 'html'))
    }
  })
})
