/** A sweep as lines: a small plot a case, the arms along, the ratio to the first arm up, with its interval. */
import type { CaseComparison } from '../compare.ts'
import type { ExperimentPlan } from '../experiment.ts'
import { formatChange } from '../units.ts'
import type { Palette } from './palette.ts'
import { hint, label, scale, tag, type Drawing } from './svg.ts'
import { formatInterval } from './words.ts'

const PLOT = { width: 240, height: 150 }
const GAP = { x: 20, y: 62 }
const COLUMNS = 3

/** All plots share one scale, so that they can be held against each other. */
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
  const ends = comparisons.flatMap(({ comparison: { rows } }) => {
    const [row] = rows
    return row === undefined ? [] : [row.ratio, row.interval?.low ?? row.ratio, row.interval?.high ?? row.ratio]
  })
  const [low, high] = [Math.min(0.95, ...ends), Math.max(1.05, ...ends)]
  const y = scale(low, high, PLOT.height - 8, 8)
  const x = scale(0, Math.max(1, plan.arms.length - 1), 16, PLOT.width - 16)
  const told: string[] = []
  const plots = plan.cases.map((one, index) => {
    const at = { x: (index % COLUMNS) * (PLOT.width + GAP.x), y: Math.floor(index / COLUMNS) * (PLOT.height + GAP.y) }
    const rows = rowsOf(one.id)
    const line = [
      `${x(0).toFixed(1)},${y(1).toFixed(1)}`,
      ...rows.map(({ place, row }) => `${x(place).toFixed(1)},${y(row.ratio).toFixed(1)}`),
    ]
    const points = rows.map(({ arm, place, row }) => {
      const { interval, ratio } = row
      const words = `${one.label}, ${arm.label}: ${formatChange(row.changePercent)} (${formatInterval(row)})`
      told.push(`${words}.`)
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
    const same = tag('line', {
      x1: 0,
      x2: PLOT.width,
      y1: y(1),
      y2: y(1),
      stroke: palette.muted,
      'stroke-dasharray': '4 4',
    })
    return tag(
      'g',
      { transform: `translate(${at.x} ${at.y + 26})` },
      label(0, -8, one.label, { 'font-weight': 600 }),
      tag('rect', { width: PLOT.width, height: PLOT.height, rx: 6, fill: 'none', stroke: palette.line }),
      same,
      tag('polyline', { points: line.join(' '), fill: 'none', stroke: palette.on, 'stroke-width': 2 }),
      ...points,
      ...names,
    )
  })
  const lines = Math.ceil(plan.cases.length / COLUMNS)
  return {
    title,
    description: told.join(' '),
    width: COLUMNS * PLOT.width + (COLUMNS - 1) * GAP.x,
    height: lines * (PLOT.height + GAP.y) + 10,
    body: plots.join(''),
  }
}
