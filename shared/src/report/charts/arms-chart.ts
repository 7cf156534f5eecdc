/** Several arms side by side: one bar per arm, every run as a dot, cases below each other. */
import { maxOf } from '../../measure/extremes.ts'
import { formatMetric, formatNamed, metricOf, mainMetricOf } from '../../features/metrics.ts'
import type { ExperimentPlan } from '../../measure/experiment.ts'
import { median, valuesOf, type Measurement } from '../../measure/measurement.ts'
import { armFill, type Palette } from './palette.ts'
import { hint, label, scale, tag, type Drawing } from './svg.ts'

const WIDTH = 760
const BARS = { from: 230, to: 580 }
const BAR = 26
const STEP = 34
const HEAD = 34

/** @param taken without warm-ups */
export function armsChart(
  plan: ExperimentPlan,
  taken: readonly Measurement[],
  title: string,
  palette: Palette,
): Drawing {
  let top = 0
  const descriptions: string[] = []
  const groups = plan.cases.map((one) => {
    const measured = taken.find(({ caseId }) => caseId === one.id)
    const metric = mainMetricOf(one.benchmark, measured?.values ?? {})
    const arms = plan.arms.map((arm, place) => {
      const own = taken.filter((each) => each.arm === arm.id && each.caseId === one.id)
      const values = valuesOf(own, metric)
      return { arm, place, values }
    })
    const x = scale(
      0,
      maxOf(
        arms.flatMap(({ values }) => values),
        0,
      ),
      BARS.from,
      BARS.to,
    )
    const head = label(0, top + 20, `${one.label}: ${metricOf(metric).name}`, { 'font-weight': 600 })
    const bars = arms.map(({ arm, place, values }) => {
      const y = top + HEAD + place * STEP
      const middle = median(values)
      const words = values.length === 0 ? 'not measured' : formatMetric(metric, middle)
      descriptions.push(`${one.label}, ${arm.label}: ${words}.`)
      const bar =
        values.length === 0
          ? ''
          : tag('rect', {
              x: BARS.from,
              y,
              width: Math.max(1, x(middle) - BARS.from),
              height: BAR,
              rx: 4,
              fill: armFill(palette, arm.id, place),
            })
      const dots = values.map((value) =>
        tag(
          'circle',
          { cx: x(value), cy: y + BAR / 2, r: 4, fill: palette.surface, stroke: palette.ink, 'stroke-width': 1.5 },
          hint(formatMetric(metric, value)),
        ),
      )
      const names = label(0, y + BAR / 2 + 5, arm.label, { fill: palette.muted })
      const figure = values.length === 0 ? words : formatNamed(metric, middle)
      const value = label(BARS.to + 18, y + BAR / 2 + 5, figure, { 'font-weight': 600 })
      return names + bar + dots.join('') + value
    })
    top += HEAD + plan.arms.length * STEP + 16
    return head + bars.join('')
  })
  return { title, description: descriptions.join(' '), width: WIDTH, height: top, body: groups.join('') }
}
