import { describe, expect, it } from 'vitest'
import { barsChart } from '../../src/charts/bars-chart.ts'
import { armBars, barsEnd, comparedPanels, mainBars } from '../../src/charts/bars.ts'
import { paper } from '../../src/charts/draw/chart.ts'
import { inlineSvg } from '../../src/charts/draw/svg.ts'
import { compareCases } from '../../src/compare/cases.ts'
import { compareArms } from '../../src/compare/compare.ts'
import { experimentPlan } from '../../src/measure/experiment.ts'
import { measured, streamed } from '../builders.ts'

describe('comparedPanels', () => {
  const off = [measured({ values: { tps: 10 } }), measured({ values: { tps: 12 } }), measured({ values: { tps: 11 } })]
  const comparison = compareArms(off, [measured({ arm: 'on', values: { tps: 20 } })])
  if (comparison === null) throw new Error('nothing compared')

  it('have the median as the bar and each run as a dot, in the arms’ hues', () => {
    const [speed, latency] = comparedPanels(comparison)
    expect(speed?.groups[0]?.bars).toMatchObject([
      { arm: 'off', hue: 'off', value: 11, values: [10, 12, 11], interval: null, verdict: null },
      { arm: 'on', hue: 'on', value: 20, values: [20], interval: null },
    ])
    expect(speed?.ticks.at(-1)).toBeGreaterThanOrEqual(20)
    expect(latency?.groups.map(({ metric }) => metric)).toEqual(['p50', 'p90', 'p99'])
  })

  it('put the interval of the ratio where it lies on the axis, and leave room for it', () => {
    const rows = comparison.rows.map((row) => ({ ...row, interval: { low: 1.5, high: 3 } }))
    const [speed] = comparedPanels({ ...comparison, rows })
    expect(speed?.groups[0]?.bars[1]?.interval).toEqual({ low: 16.5, high: 33 })
    expect(speed?.ticks.at(-1)).toBeGreaterThanOrEqual(33)
  })

  it('are the same where the tool was not recorded', () => {
    expect(comparedPanels({ ...comparison, tool: null })).toEqual(comparedPanels(comparison))
  })

  it('show of a stream what it reached and what it took, in units that people read', () => {
    const streams = compareArms(
      [streamed()],
      [streamed({ arm: 'on', values: { throughput: 20e9, bytesPerPacket: 80_000, cpuSecondsPerGigabit: 0.05 } })],
    )
    const shown = comparedPanels(streams ?? comparison)
    expect(shown.map(({ unit, divisor, groups }) => [unit, (groups[0]?.bars[1]?.value ?? 0) / divisor])).toEqual([
      ['Gbit/s', 20],
      ['ms', 50],
      ['kB', 80],
    ])
  })
})

describe('the bars of an experiment', () => {
  const benchmark = { tool: 'tcp-rr', requestBytes: 80_000, responseBytes: 80_000 }
  const plan = experimentPlan.parse({
    arms: ['64k', '128k', '192k'].map((id) => ({ id, label: `Limit ${id}`, settings: {} })),
    cases: [{ id: 'rr', label: '80 kB requests', family: 'ipv4', benchmark }],
    design: { order: 'auto', repeats: 4, seconds: 1, warmups: 0, budget: null },
  })
  const taken = plan.arms.flatMap(({ id }, arm) =>
    [0, 1, 2, 3].map((round) => {
      const tps = 10_000 * (id === '192k' ? 1.5 : 1) + 20 * ((round + arm) % 3)
      return measured({ arm: id, caseId: 'rr', repeat: round * 4 + arm + 1, values: { tps, p99: 50 } })
    }),
  )
  const comparisons = compareCases(plan, 'interleaved', taken, 'all')
  const [of] = plan.cases
  if (of === undefined) throw new Error('no case')

  it('have the verdict of the main metric, judged with the others, and none for other metrics', () => {
    const verdicts = (metric: string) =>
      armBars(plan, of, metric, taken, comparisons)?.bars.map(({ verdict }) => verdict)
    expect(verdicts('tps')).toEqual([null, 'no-difference', 'improved'])
    expect(verdicts('p99')).toEqual([null, null, null])
  })

  it('show each run of the case, and an arm that was not measured yet as such', () => {
    const some = [10_000, 12_000].map((tps) => measured({ arm: '64k', caseId: 'rr', values: { tps } }))
    const group = armBars(plan, of, 'tps', [...some, measured({ caseId: 'other', values: { tps: 1 } })], [])
    expect(group?.bars).toMatchObject([
      { label: 'Limit 64k', value: 11_000, values: [10_000, 12_000], hue: '1' },
      { label: 'Limit 128k', value: null, values: [], hue: '2' },
      { value: null },
    ])
    expect(group === null ? 0 : barsEnd([group])).toBe(12_000)
  })

  it('are nothing for a metric that nothing measured', () => {
    expect(armBars(plan, of, 'cpuPerNewFlow', taken, comparisons)).toBeNull()
  })

  it('name every arm whole, say their values, and stay inside of the chart', () => {
    const chart = barsChart(mainBars(plan, taken, comparisons), 'All arms', paper)
    expect(chart.description).toContain('Limit 192k: 15,0')
    const svg = inlineSvg(chart)
    for (const { label } of plan.arms) expect(svg).toContain(`>${label}</text>`)
    const ends = [...svg.matchAll(/<rect x="([\d.]+)" y="[\d.]+" width="([\d.]+)"/g)].map(
      ([, x, width]) => Number(x) + Number(width),
    )
    expect(ends).toHaveLength(3)
    for (const end of ends) expect(end).toBeLessThanOrEqual(paper.width)
  })
})
