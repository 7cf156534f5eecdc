/** A sweep as lines: one small plot per case, the arms along x, the ratio to the first arm with its interval along y. */
import type { CaseComparison } from '../../compare/comparison.ts'
import type { ExperimentPlan } from '../../measure/experiment.ts'
import { formatChange } from '../../measure/units.ts'
import { ratioAxis } from '../../compare/ratio-axis.ts'
import type { Palette } from './palette.ts'
import { hint, label, scale, tag, type Drawing } from './svg.ts'
import { intervalWords } from '../words.ts'

const PLOT = { left: 44, width: 240, height: 150 }
const GAP = { x: 20, y: 62 }
const COLUMNS = 3

/** All plots share one logarithmic scale, so that they can be compared. */
export function linesChart(
  plan: ExperimentPlan,
  comparisons: readonly CaseComparison[],
  title: string,
  palette: Palette,
): Drawing {
  const rowsOf = (caseId: string) =>
    plan.arms.flatMap((arm, place) => {
      const row = comparisons.find((one) => one.caseId === caseId && one.arm === arm.id)?.comparison.rows[0]
      return row === undefined ? [] : [{ arm, place, row }]
    })
  const axis = ratioAxis(comparisons.flatMap(({ comparison: { rows } }) => rows[0] ?? []))
  const y = (ratio: number): number => (1 - axis.place(ratio) / 100) * PLOT.height
  const x = scale(0, Math.max(1, plan.arms.length - 1), PLOT.left + 16, PLOT.width - 16)
  const descriptions: string[] = []
  const plots = plan.cases.map((one, index) => {
    const at = { x: (index % COLUMNS) * (PLOT.width + GAP.x), y: Math.floor(index / COLUMNS) * (PLOT.height + GAP.y) }
    const rows = rowsOf(one.id)
    const line = [
      `${x(0).toFixed(1)},${y(1).toFixed(1)}`,
      ...rows.map(({ place, row }) => `${x(place).toFixed(1)},${y(row.ratio).toFixed(1)}`),
    ]
    const points = rows.map(({ arm, place, row }) => {
      const { interval, ratio } = row
      const words = `${one.label}, ${arm.label}: ${formatChange(row.changePercent)} (${intervalWords(row)})`
      descriptions.push(`${words}.`)
      const whisker =
        interval === null
          ? ''
          : tag('line', {
              x1: x(place),
              x2: x(place),
              y1: y(interval.low),
              y2: y(interval.high),
              stroke: palette.on,
              'stroke-width': 2,
            })
      return tag('g', {}, hint(words), whisker, tag('circle', { cx: x(place), cy: y(ratio), r: 4.5, fill: palette.on }))
    })
    const names = plan.arms.map(({ label: name }, place) =>
      label(x(place), PLOT.height + 18, name, { 'text-anchor': 'middle', 'font-size': 12, fill: palette.muted }),
    )
    const grid = axis.ticks.map(
      (tick) =>
        tag('line', {
          x1: PLOT.left,
          x2: PLOT.width,
          y1: y(tick),
          y2: y(tick),
          stroke: tick === 1 ? palette.muted : palette.line,
        }) +
        label(PLOT.left - 6, y(tick) + 4, `×${tick}`, { 'text-anchor': 'end', 'font-size': 12, fill: palette.muted }),
    )
    return tag(
      'g',
      { transform: `translate(${at.x} ${at.y + 26})` },
      label(0, -8, one.label, { 'font-weight': 600 }),
      ...grid,
      tag('polyline', { points: line.join(' '), fill: 'none', stroke: palette.on, 'stroke-width': 2 }),
      ...points,
      ...names,
    )
  })
  const lines = Math.ceil(plan.cases.length / COLUMNS)
  const height = lines * (PLOT.height + GAP.y)
  const together = comparisons.some(({ comparison }) => comparison.control.method !== 'none')
  const bars = together ? 'simultaneous 95 % intervals' : '95 % intervals'
  const foot = `Ratio to ${plan.arms[0]?.label ?? 'the first arm'}; bars are ${bars}, if there are enough repeats.`
  return {
    title,
    description: descriptions.join(' '),
    width: COLUMNS * PLOT.width + (COLUMNS - 1) * GAP.x,
    height: height + 24,
    body: plots.join('') + label(0, height + 12, foot, { 'font-size': 14, fill: palette.muted }),
  }
}
