/** Each arm's medians over cases that differ by one number, with their intervals. */
import { numberAxis, scaleLines, type CaseScale } from '../../compare/case-scale.ts'
import { axisTitle, formatMetric, metricOf } from '../../features/metrics.ts'
import type { ExperimentPlan } from '../../measure/experiment.ts'
import type { Measurement } from '../../measure/measurement.ts'
import type { MetricId } from '../../measure/metrics.ts'
import { niceTicks } from '../../measure/ticks.ts'
import { armFill, type Palette } from './palette.ts'
import { hint, label, tag, type Drawing } from './svg.ts'

const PLOT = { left: 70, top: 34, width: 560, height: 300 }
const LEGEND = { left: 660, step: 26 }
const WIDTH = 860

/** @param taken without warm-ups */
export function scaleChart(
  plan: ExperimentPlan,
  of: CaseScale,
  metric: MetricId,
  taken: readonly Measurement[],
  title: string,
  palette: Palette,
): Drawing {
  const lines = scaleLines(plan, of, metric, taken)
  const { divisor } = metricOf(metric).axis
  const points = lines.flatMap((line) => line.points)
  const ends = points.flatMap(({ median, interval }) =>
    interval === null ? [median] : [interval.low, median, interval.high],
  )
  const yAxis = numberAxis(
    ends.map((one) => one / divisor),
    niceTicks,
  )
  const stops = of.stops.map(({ value }) => value)
  const xAxis = numberAxis(stops, niceTicks)
  const x = (value: number): number => PLOT.left + xAxis.place(value) * PLOT.width
  const y = (value: number): number => PLOT.top + (1 - yAxis.place(value / divisor)) * PLOT.height
  const descriptions: string[] = []
  const grid = yAxis.ticks.map((tick) => {
    const at = y(tick * divisor)
    return (
      tag('line', { x1: PLOT.left, x2: PLOT.left + PLOT.width, y1: at, y2: at, stroke: palette.line }) +
      label(PLOT.left - 8, at + 4, String(tick), { 'text-anchor': 'end', 'font-size': 13, fill: palette.muted })
    )
  })
  const below = of.stops.map(({ value, words }) =>
    label(x(value), PLOT.top + PLOT.height + 22, words, {
      'text-anchor': 'middle',
      'font-size': 13,
      fill: palette.muted,
    }),
  )
  const drawn = lines.map(({ arm, label: name, place, points: own }, index) => {
    const fill = armFill(palette, arm, place)
    const path = own.map(({ value, median }) => `${x(value).toFixed(1)},${y(median).toFixed(1)}`).join(' ')
    const marks = own.map(({ caseId, value, median, interval }) => {
      const words = `${name}, ${of.stops.find((one) => one.caseId === caseId)?.words ?? ''}: ${formatMetric(metric, median)}`
      descriptions.push(`${words}.`)
      const whisker =
        interval === null
          ? ''
          : tag('line', {
              x1: x(value),
              x2: x(value),
              y1: y(interval.low),
              y2: y(interval.high),
              stroke: fill,
              'stroke-width': 2,
            })
      return tag('g', {}, hint(words), whisker, tag('circle', { cx: x(value), cy: y(median), r: 5, fill }))
    })
    const at = PLOT.top + 14 + index * LEGEND.step
    const legend =
      tag('circle', { cx: LEGEND.left, cy: at - 5, r: 6, fill }) +
      label(LEGEND.left + 14, at, name, { 'font-size': 14 })
    return tag('polyline', { points: path, fill: 'none', stroke: fill, 'stroke-width': 2.5 }) + marks.join('') + legend
  })
  const foot = `Over: ${of.name}. Bars are 95 % intervals of the medians, if there are enough repeats.`
  const height = PLOT.top + PLOT.height + 66
  return {
    title,
    description: descriptions.join(' '),
    width: WIDTH,
    height,
    body:
      label(0, 14, axisTitle(metric), { 'font-size': 14, fill: palette.muted }) +
      [...grid, ...below, ...drawn].join('') +
      label(0, height - 8, foot, { 'font-size': 14, fill: palette.muted }),
  }
}
