/** A sweep's charts: the map and the lines say the same, on one kind of scale. */
import { describe, expect, it } from 'vitest'
import { paper } from '../../src/charts/draw/chart.ts'
import { inlineSvg } from '../../src/charts/draw/svg.ts'
import { heatMap } from '../../src/charts/heat-map.ts'
import { linesChart } from '../../src/charts/lines-chart.ts'
import { compareCases } from '../../src/compare/cases.ts'
import { experimentPlan } from '../../src/measure/experiment.ts'
import { measured } from '../builders.ts'

const sizes = [1, 80_000]
const factors = { '64k': 1, '128k': 1.25, '256k': 0.8 }
const plan = experimentPlan.parse({
  arms: Object.keys(factors).map((id) => ({ id, label: id.toUpperCase(), settings: {} })),
  cases: sizes.map((size) => ({
    id: `rr-${size}`,
    label: `${size} B`,
    family: 'ipv4',
    benchmark: { tool: 'tcp-rr', requestBytes: size, responseBytes: size },
  })),
  design: { order: 'auto', repeats: 6, seconds: 1, warmups: 0, budget: null },
})
const taken = plan.cases.flatMap(({ id: caseId }) =>
  Object.entries(factors).flatMap(([arm, factor]) =>
    [0, 1, 2, 3, 4, 5, 6, 7].map((round) =>
      measured({ arm, caseId, repeat: round + 1, values: { tps: 10_000 * factor + 10 * round } }),
    ),
  ),
)
const comparisons = compareCases(plan, 'sequential', taken, 'main')

describe('the map', () => {
  const svg = inlineSvg(heatMap(plan, comparisons, 'TPS vs. 64K', paper))

  it('has the ratio and its verdict in each cell, and the change where the pointer rests', () => {
    expect(svg).toContain('>▲ ×1.25</text>')
    expect(svg).toContain('>▼ ×0.80</text>')
    expect(svg).toMatch(/<title>80000 B at 128K: ×1\.25, \+24\.9 %, 95 % interval [^<]+, improved<\/title>/)
  })

  it('is as strong for a ratio as for its inverse, because the scale is logarithmic', () => {
    const opacity = (hue: string): string[] =>
      [...svg.matchAll(new RegExp(`fill-opacity="([\\d.]+)"[^>]*fill="var\\(--arm-${hue}\\)"`, 'g'))].map(
        ([, at = '']) => at,
      )
    expect(new Set([...opacity('on').slice(0, 2), ...opacity('off').slice(0, 2)]).size).toBe(1)
    expect(svg).toContain('The colour is logarithmic: full at ×1.6')
  })

  it('shows what is not compared yet as such', () => {
    const empty = inlineSvg(heatMap(plan, [], 'TPS vs. 64K', paper))
    expect(empty.match(/not compared yet/g)).toHaveLength(4)
  })
})

describe('the lines', () => {
  it('label the same ratios on a logarithmic axis', () => {
    const chart = linesChart(plan, comparisons, 'by arm', paper)
    expect(chart.description).toContain('80000 B, ratio by arm: 64K none, 128K ×1.25, 256K ×0.80.')
    const svg = inlineSvg(chart)
    expect(svg).toContain('>×1</text>')
    expect(svg).toContain('simultaneous 95 % intervals')
  })
})
