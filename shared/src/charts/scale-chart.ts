/** Each arm's medians over cases that differ by one number, with their intervals. */
import { i18n } from '../base/language.ts'
import { scaleLines, type CaseScale } from '../compare/case-scale.ts'
import { axisTitle, formatMetric, metricOf } from '../features/metrics.ts'
import type { ExperimentPlan } from '../measure/experiment.ts'
import type { Measurement } from '../measure/measurement.ts'
import type { MetricId } from '../measure/metrics.ts'
import { numberAxis } from './draw/axis.ts'
import {
  armKey,
  labelsBelow,
  leftAxis,
  linesOf,
  RADIUS,
  STROKE,
  valueDot,
  type Chart,
  type Frame,
} from './draw/chart.ts'
import { armHue } from './draw/palette.ts'
import { bracket, group, LINE, line as lineThrough, moved, text } from './draw/marks.ts'
import { tickWords } from './draw/ticks.ts'

/** Null if no arm has the metric. @param taken without warm-ups */
export function scaleChart(
  plan: ExperimentPlan,
  over: CaseScale,
  metric: MetricId,
  taken: readonly Measurement[],
  frame: Frame,
): Chart | null {
  const lines = scaleLines(plan, over, metric, taken)
  if (lines.length === 0) return null
  const { width, text: size } = frame
  const { divisor } = metricOf(metric).axis
  const ends = lines.flatMap(({ points }) =>
    points.flatMap(({ median, interval }) => (interval === null ? [median] : [interval.low, median, interval.high])),
  )
  const yAxis = numberAxis(ends.map((end) => end / divisor))
  const xAxis = numberAxis(over.stops.map(({ value }) => value))
  const [left, right] = [size * 3.6, width - size * 2.2]
  const caption = linesOf(`${axisTitle(metric)}${yAxis.logarithmic ? ' (logarithmic)' : ''}`, width, size)
  const head = caption.length * size * LINE + size * 0.4
  const key = armKey(
    lines.map(({ arm, label, place }) => ({ name: label, paint: armHue(arm, place) })),
    head,
    frame,
  )
  const top = head + key.height + size
  const x = (value: number): number => left + xAxis.place(value) * (right - left)
  const names = labelsBelow(
    over.stops.map(({ value, words }) => ({ x: x(value), words })),
    0,
    frame,
  )
  const foot = names.height + size * 2.4
  const high = frame.height === null ? Math.min(300, Math.max(200, width * 0.4)) : frame.height - top - foot
  const bottom = top + Math.max(size * 5, high)
  const y = (value: number): number => bottom - yAxis.place(value / divisor) * (bottom - top)
  const grid = leftAxis(
    yAxis.ticks.map((tick) => ({ y: y(tick * divisor), words: tickWords(tick) })),
    [left, width],
    size,
  )
  const drawn = lines.flatMap(({ arm, label, place, points }) => {
    const paint = armHue(arm, place)
    const marks = points.map(({ caseId, value, median, interval }) => {
      const stop = over.stops.find((one) => one.caseId === caseId)?.words ?? caseId
      const sure = interval === null ? [] : bracket([x(value), y(interval.low)], [x(value), y(interval.high)])
      return group(
        [...sure, valueDot(x(value), y(median), size * RADIUS, paint)],
        `${label}, ${stop}: ${formatMetric(metric, median)}`,
      )
    })
    return [
      lineThrough(
        points.map(({ value, median }) => [x(value), y(median)] as const),
        paint,
        { strokeWidth: size * STROKE },
      ),
      ...marks,
    ]
  })
  const words = lines.map(({ label, points }) => {
    const at = points.map(({ caseId, median }) => {
      const stop = over.stops.find((one) => one.caseId === caseId)?.words ?? caseId
      return `${stop}: ${formatMetric(metric, median)}`
    })
    return `${label} ${at.join(', ')}`
  })
  return {
    title: i18n.t('{metric} over {quantity}', { metric: axisTitle(metric), quantity: over.name }),
    description: `${words.join('; ')}.`,
    width,
    height: bottom + foot,
    marks: [
      text(0, size, caption, { fontSize: size, fontWeight: 500 }),
      ...key.marks,
      ...grid,
      ...drawn,
      moved(0, bottom + size * 0.6, names.marks),
      text((left + right) / 2, bottom + foot - size * 0.4, over.name, {
        fill: 'muted',
        fontSize: size,
        textAnchor: 'middle',
      }),
    ],
  }
}
