/** A lab over kernels: its series, their order, and their chart. */
import { describe, expect, it } from 'vitest'
import { paper } from '../../src/charts/draw/chart.ts'
import { standaloneSvg } from '../../src/charts/draw/svg.ts'
import { kernelsChart } from '../../src/charts/kernels-chart.ts'
import { byRelease, changeWords, seriesByKernel } from '../../src/compare/by-kernel.ts'
import { caseCompared } from './case-compared.ts'

const cell = (kernel: string, on: number, most: number) => ({
  kernel,
  comparisons: [
    { arm: '128k', value: on },
    { arm: '192k', value: most },
  ].map(({ arm, value }) =>
    caseCompared({ caseId: 'rr', against: '64k', arm, tool: 'tcp-rr', metric: 'tps', off: 1000, on: value }),
  ),
})

const cells = [cell('7.0.2', 1200, 1400), cell('6.9.1', 1300, 1400), cell('6.12.43', 1302, 1401)]

describe('a lab by kernel', () => {
  it('orders releases by their numbers', () => {
    const releases = ['6.12.117+deb13-cloud-amd64', '6.12.43+deb13-cloud-amd64', '7.0.2', '6.9.1']
    expect(releases.toSorted(byRelease)).toEqual([releases[3], releases[1], releases[0], releases[2]])
  })

  it('has a series for each ratio and each arm, with one value for a kernel', () => {
    const series = seriesByKernel(cells)
    expect(series.map(({ arm, against, points }) => [arm, against, points.map(({ value }) => value)])).toEqual([
      ['128k', '64k', [1.3, 1.302, 1.2]],
      ['64k', null, [1000, 1000, 1000]],
      ['128k', null, [1300, 1302, 1200]],
      ['192k', '64k', [1.4, 1.401, 1.4]],
      ['192k', null, [1400, 1401, 1400]],
    ])
    expect(series.map(({ changes }) => changes.map(({ previous, kernel }) => [previous, kernel]))).toEqual([
      [['6.12.43', '7.0.2']],
      [],
      [['6.12.43', '7.0.2']],
      [],
      [],
    ])
    expect(series.flatMap(changeWords)).toEqual([
      '128k, rr: the ratio goes from 1.301 with 6.12.43 to 1.200 with 7.0.2.',
    ])
    expect(seriesByKernel([])).toEqual([])
  })

  it('takes no change for one that is within the usual interval', () => {
    const wide = cells.map(({ kernel, comparisons }) => ({
      kernel,
      comparisons: comparisons.map((one) => {
        const rows = one.comparison.rows.map((row) => {
          const interval = { low: row.ratio * 0.9, high: row.ratio * 1.1 }
          return { ...row, interval, onValues: [row.on - 1, row.on, row.on + 1] }
        })
        return { ...one, comparison: { ...one.comparison, rows } }
      }),
    }))
    const changed = seriesByKernel(wide).filter(({ changes }) => changes.length > 0)
    expect(changed.map(({ arm, against }) => [arm, against])).toEqual([['128k', null]])
    expect(changed[0]?.points[2]).toEqual({ kernel: '7.0.2', value: 1200, interval: { low: 1199, high: 1201 } })
  })

  it('has a chart with a plot for each ratio, whose changes have a sign and a sentence', () => {
    const chart = kernelsChart(seriesByKernel(cells), 'How big?, by kernel', paper)
    const svg = chart === null ? '' : standaloneSvg(chart, 'source')
    expect(svg.match(/<polyline[^>]*stroke-width="2.4"/g)).toHaveLength(2)
    expect(svg.match(/▼ 7\.0\.2/g)?.length).toBeGreaterThan(0)
    expect(svg).toContain('to 1.200 with 7.0.2.')
    expect(chart?.description).toContain('192k, rr: 6.9.1 ×1.40')
    expect(kernelsChart([], 'x', paper)).toBeNull()
  })
})
