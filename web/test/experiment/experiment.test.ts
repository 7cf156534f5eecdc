import { sweepLines } from '@expresslane/shared/charts/sweep'
import { compareCases } from '@expresslane/shared/compare/cases'
import type { CaseComparison, ComparedRow } from '@expresslane/shared/compare/comparison'
import { ranked } from '@expresslane/shared/features/sweep'
import { COUNTED_CLOCK } from '@expresslane/shared/measure/clock'
import { experimentPlan, type ExperimentPlan } from '@expresslane/shared/measure/experiment'
import type { RunEvent } from '@expresslane/shared/run/events'
import { describe, expect, it } from 'vitest'
import { estimateSeconds, estimateWords } from '../../src/experiment/estimate.ts'
import { experimentKind } from '../../src/experiment/kind.ts'
import { budgetOf, paceOf, presentRun, progressGrid } from '../../src/experiment/progress/progress.ts'
import { payoff } from '../../src/experiment/sweep.ts'
import { ended, logged, measured, runOf, started } from '@expresslane/shared/test/builders'

const off = { id: 'off', label: '64K', settings: { 'big-tcp-ipv4': false } }
const on = { id: 'on', label: 'BIG TCP', settings: { 'big-tcp-ipv4': true } }
const at = (limit: number) => ({
  id: `${limit}k`,
  label: `${limit}K`,
  settings: { 'big-tcp-ipv4': true, 'size-limit': Math.min(limit * 1024, 524_280) },
})
const request = (size: number) => ({
  id: `rr-${size}`,
  label: `${size} B`,
  family: 'ipv4',
  benchmark: { tool: 'tcp-rr', requestBytes: size, responseBytes: size },
})
const stream = { id: 'stream', label: 'stream', family: 'ipv4', benchmark: { tool: 'iperf3' } }

function planOf(arms: object[], cases: object[], design: object = {}): ExperimentPlan {
  return experimentPlan.parse({
    arms,
    cases,
    design: { order: 'auto', repeats: 2, seconds: 1, warmups: 1, budget: null, ...design },
  })
}

describe('experimentKind', () => {
  it.each([
    ['pair', [off, on], [request(80_000)]],
    ['pair', [off, on], [stream]],
    ['sweep', [off, at(128), at(192)], [request(1), request(80_000)]],
    ['arms', [off, at(128), at(192)], [request(80_000)]],
    ['arms', [off, on], [request(1), request(80_000)]],
    ['arms', [off, at(128), at(192)], [request(1), stream]],
    [
      'arms',
      [off, on, { ...on, id: 'jumbo', settings: { ...on.settings, 'pod-mtu': 9_000 } }],
      [request(1), request(2)],
    ],
  ])('is %s', (kind, arms, cases) => {
    expect(experimentKind(planOf(arms, cases))).toBe(kind)
  })

  it('orders arms by their limit, independent of the order in the plan', () => {
    expect(ranked(planOf([at(512), off, at(128)], [request(1)]).arms).map(({ id }) => id)).toEqual([
      'off',
      '128k',
      '512k',
    ])
  })
})

const sweep = planOf([off, at(128), at(192), at(512)], [request(80_000)])

/** A sweep's comparisons with these ratios, each with its interval. */
function compared(...rows: ([number, number, number] | null)[]): CaseComparison[] {
  return rows.flatMap((row, index) => {
    const arm = sweep.arms[index + 1]?.id ?? ''
    const [one] = compareCases(
      sweep,
      'interleaved',
      ['off', arm].map((of) => measured({ arm: of, caseId: 'rr-80000' })),
      'main',
    )
    const [first] = one?.comparison.rows ?? []
    if (one === undefined || first === undefined) throw new Error('nothing compared')
    const verdict = row === null ? 'too-few' : row[0] > 1 ? 'improved' : row[2] < 1 ? 'worse' : 'no-difference'
    const ratio: ComparedRow =
      row === null
        ? { ...first, interval: null, verdict }
        : { ...first, ratio: row[1], interval: { low: row[0], high: row[2] }, verdict }
    return [{ ...one, comparison: { ...one.comparison, rows: [ratio] } }]
  })
}

function sentenceOf(...rows: ([number, number, number] | null)[]): string | undefined {
  const [line] = sweepLines(sweep, compared(...rows))
  return line === undefined ? undefined : payoff(line, 'limit').sentence
}

describe('sweepLines', () => {
  it('have the verdict of the main metric, judged with the others', () => {
    const taken = sweep.arms.flatMap(({ id }, arm) =>
      [0, 1, 2, 3].map((round) => {
        const tps = 10_000 * (id === '192k' ? 1.5 : 1) + 20 * ((round + arm) % 3)
        const values = { tps, p99: 50 }
        return measured({ arm: id, caseId: 'rr-80000', repeat: round * 4 + arm + 1, values })
      }),
    )
    const comparisons = compareCases(sweep, 'interleaved', taken, 'all')
    expect(comparisons.map(({ comparison }) => comparison.control.comparisons)).toEqual([3, 3, 3])
    const cells = sweepLines(sweep, comparisons)[0]?.cells ?? []
    expect(cells.map(({ row }) => row?.verdict)).toEqual([undefined, 'no-difference', 'improved', 'no-difference'])
  })
})

describe('payoff', () => {
  it('ends at the last limit whose interval is above the ratio of the previous one that paid off', () => {
    expect(sentenceOf([1.1, 1.15, 1.2], [1.22, 1.25, 1.3], [1.2, 1.26, 1.3])).toBe(
      'The largest limit that pays off is 192K: +25 % compared with 64K.',
    )
  })

  it('skips a limit that does not pay off', () => {
    expect(sentenceOf([0.9, 1, 1.1], [1.2, 1.3, 1.4], [1.1, 1.2, 1.4])).toBe(
      'The largest limit that pays off is 192K: +30 % compared with 64K.',
    )
  })

  it('does not call paying what the verdict does not call an improvement', () => {
    const doubtful = compared([1.1, 1.2, 1.3], [1.25, 1.4, 1.5], [1.1, 1.3, 1.4]).map((one, index) => ({
      ...one,
      comparison: {
        ...one.comparison,
        rows: one.comparison.rows.map((row): ComparedRow => (index === 1 ? { ...row, verdict: 'no-difference' } : row)),
      },
    }))
    const [line] = sweepLines(sweep, doubtful)
    expect(line === undefined ? null : payoff(line, 'limit').arm).toBe('128K')
  })

  it('covers the largest limit, no limit at all, and a worse one', () => {
    expect(sentenceOf([1.1, 1.2, 1.3], [1.3, 1.4, 1.5], [1.5, 1.6, 1.7])).toBe(
      '512K, the largest measured limit, pays off: +60 % compared with 64K.',
    )
    expect(sentenceOf([0.9, 1, 1.1], [0.9, 1.02, 1.1], [0.7, 0.8, 0.9])).toBe(
      'No limit above 64K pays off. Worse than 64K at 512K.',
    )
  })

  it('does not guess while an interval is missing', () => {
    expect(sentenceOf([1.1, 1.2, 1.3], null, [1.1, 1.2, 1.3])).toBe('Too few repeats so far.')
    expect(sentenceOf([1.1, 1.2, 1.3])).toBe('Too few repeats so far.')
  })
})

const pair = planOf([off, on], [request(80_000)])
const begins = (repeat: number, arm: string, warmup = false): RunEvent => ({
  type: 'repeat.started',
  arm,
  caseId: 'rr-80000',
  warmup,
  family: 'ipv4',
  benchmark: null,
  repeat,
  repeats: 6,
  seconds: 1,
})
const takes = (repeat: number, arm: string, tps: number, warmup = false): RunEvent => ({
  type: 'measurement.taken',
  measurement: measured({ arm, caseId: 'rr-80000', repeat, warmup, values: { tps } }),
})
const planned: RunEvent = { type: 'experiment.planned', plan: pair }
const someWay = [
  started({ labId: 'bench', stepId: 'run' }),
  planned,
  begins(1, 'off', true),
  takes(1, 'off', 1, true),
  begins(2, 'off'),
  takes(2, 'off', 10_000),
  begins(3, 'on', true),
]

describe('progress', () => {
  const run = runOf(logged(someWay))

  it('shows warm-up, measured, current and remaining runs', () => {
    const [line] = progressGrid(pair, run)
    expect(line?.cells.map(({ pips }) => pips)).toEqual([
      ['warmup', 'measured', 'open'],
      ['now', 'open', 'open'],
    ])
    expect(presentRun(pair, run)).toMatchObject({ arm: 'BIG TCP', of: '80000 B', repeat: { warmup: true } })
  })

  it('counts nothing that was cut short', () => {
    const cut = runOf(logged([...someWay, { ...ended, state: 'cancelled' } as RunEvent]))
    expect(progressGrid(pair, cut)[0]?.cells[1]?.pips).toEqual(['open', 'open', 'open'])
    expect(presentRun(pair, cut)).toBeNull()
  })

  it('expects the rest to go as the runs so far did', () => {
    expect(paceOf(pair, run, run.startedAt + 4_000)).toEqual({
      done: 2,
      total: 6,
      elapsedSeconds: 4,
      leftSeconds: 8,
    })
    expect(paceOf(pair, runOf(logged(someWay.slice(0, 3))), 5_000).leftSeconds).toBeNull()
  })

  it('shows the target width, and no width without an interval', () => {
    const budget = { widthPercent: 5, seconds: 60 }
    expect(budgetOf(pair, run)).toBeNull()
    expect(budgetOf(planOf([off, on], [request(1)], { budget }), run)).toEqual({
      widthPercent: null,
      wantedPercent: 5,
      seconds: 60,
    })
  })
})

describe('the estimate', () => {
  it('counts warm-ups and every switch, which cost much where agents restart', () => {
    expect(estimateWords(pair, true, null)).toBe('6 measurements of 1 s, about 13 s in total')
    expect(estimateSeconds(pair, false, null)).toBeGreaterThan(60)
  })

  it('counts the rules of many services, which netfilter loads for each run', () => {
    const flows = (id: string, services: number) => ({
      id,
      label: id,
      family: 'ipv4',
      benchmark: { tool: 'new-flows', packetBytes: 64 },
      settings: { 'nodeport-services': services },
    })
    const arm = (hook: string) => ({ id: hook, label: hook, settings: { 'nodeport-hook': hook } })
    const secondsWith = (hook: string, services: number): number =>
      estimateSeconds(planOf([arm(hook), arm('tc')], [flows('many', services)], { warmups: 0 }), true, null)
    expect(secondsWith('xdp', 5_000)).toBeCloseTo(secondsWith('xdp', 1))
    expect(secondsWith('iptables', 1_000) - secondsWith('iptables', 1)).toBeCloseTo(2 * 0.7)
    expect(secondsWith('nftables', 5_000) - secondsWith('nftables', 1)).toBeCloseTo(2 * 17.5)
  })

  // Measured beside a load of ten: these 8 visits took 21 s of QEMU's CPU time, and 12 runs in the six arms of the device lab 20 s.
  it('counts what a counted machine needs for a visit, by feature', () => {
    const flows = {
      id: 'one',
      label: 'one',
      family: 'ipv4',
      benchmark: { tool: 'forward-max', flows: 1, packetBytes: 64 },
    }
    const hooks = ['tc', 'xdp'].map((hook) => ({ id: hook, label: hook, settings: { 'nodeport-hook': hook } }))
    const plan = planOf(hooks, [flows], { warmups: 0, repeats: 4, seconds: 0.5, order: 'sequential' })
    expect(estimateSeconds(plan, true, COUNTED_CLOCK)).toBeCloseTo(8 * (0.5 + 0.4 + 1.3 + 1.5))
    expect(estimateSeconds(plan, true, null)).toBeCloseTo(8 * (0.5 + 0.6 + 1))
    const devices = ['host', 'veth'].map((id) => ({ id, label: id, settings: { 'pod-device': id } }))
    const calls = planOf(devices, [request(1)], { warmups: 0, repeats: 2, seconds: 1, order: 'sequential' })
    expect(estimateSeconds(calls, true, COUNTED_CLOCK)).toBeCloseTo(4 * 1.4 + 2 * 1.3 + 0.5 + 1.8)
    expect(estimateSeconds(calls, true, null)).toBeCloseTo(4 * 1.6 + 2)
  })

  it('counts how long a tool waits after its runs, or the first of each arm, where time passes meanwhile', () => {
    const connect = { id: 'one', label: 'one', family: 'ipv4', benchmark: { tool: 'tcp-crr' } }
    const plan = planOf([off, on], [connect], { warmups: 0 })
    expect(estimateSeconds(plan, true, null)).toBeCloseTo(4 * (1 + 0.6 + 1) + 2 * 4)
    expect(estimateSeconds(plan, true, COUNTED_CLOCK)).toBeCloseTo(4 * (1 + 0.4 + 1.3))
    const pause = { ...connect, benchmark: { tool: 'after-pause', pauseSeconds: 10 } }
    expect(estimateSeconds(planOf([off, on], [pause], { warmups: 0 }), true, null)).toBeCloseTo(4 * (1 + 0.6 + 30 + 1))
  })

  it('is the budget where that decides', () => {
    const plan = planOf([off, on], [request(1)], { budget: { widthPercent: 5, seconds: 90 } })
    expect(estimateWords(plan, true, null)).toBe(
      'Measurements of 1 s until the result is precise enough, at most about 1 min 30 s',
    )
  })
})
