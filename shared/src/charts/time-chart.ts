/** A tool's live metric over time, run after run. */
import { i18n } from '../base/language.ts'
import { formatMetric, metricOf } from '../features/metrics.ts'
import { formatClockTime } from '../measure/clock.ts'
import type { ArmPlan } from '../measure/experiment.ts'
import { maxOf } from '../measure/extremes.ts'
import type { MetricId } from '../measure/metrics.ts'
import type { RepeatState } from '../run/run-state.ts'
import { armKey, leftAxis, linesOf, RADIUS, STROKE, textWidth, valueDot, type Chart, type Frame } from './draw/chart.ts'
import { armHue, type Paint } from './draw/palette.ts'
import { across, dot, group, LINE, line, rect, text, upright, type Mark } from './draw/marks.ts'
import { tickWords } from './draw/ticks.ts'
import { kindOfRepeat, timeSeries, type TimeLine, type TimeOptions } from './time-series.ts'

/** Up to so many points, each has a dot. */
const FEW_POINTS = 40

/** An arm of a chart; its place decides its colour. */
type ChartArm = Pick<ArmPlan, 'id' | 'label'>

/** Another arm's median, in the metric's own unit. */
interface Reference {
  readonly name: string
  readonly arm: string
  readonly value: number
}

interface TimeChartOptions extends TimeOptions {
  readonly title: string
  /** In the order of their colours; named if more than one was measured. */
  readonly arms: readonly ChartArm[]
  /** Drawn as a line across; null for none. */
  readonly reference?: Reference | null
}

/** @param dots whether each point has a dot; a single point always has */
function lineMarks(
  { repeat, points }: TimeLine,
  paint: Paint,
  dots: boolean,
  { x, y, size }: Pick<Plot, 'y' | 'size'> & { readonly x: (at: number) => number },
): Mark {
  const name = repeat.warmup
    ? i18n.t('{arm}, repeat {repeat}, a warm-up', { arm: repeat.arm, repeat: repeat.repeat })
    : i18n.t('{arm}, repeat {repeat}', { arm: repeat.arm, repeat: repeat.repeat })
  const dashed = repeat.warmup ? { strokeDasharray: '3 4' } : {}
  const through = line(
    points.map(({ at, value }) => [x(at), y(value)] as const),
    paint,
    { strokeWidth: size * STROKE, ...dashed },
  )
  const marked = dots || points.length === 1 ? points : []
  const drawn = marked.map(({ at, value, omitted, sample }) => ({
    ...(omitted
      ? dot(x(at), y(value), size * RADIUS, { fill: 'surface', stroke: 'muted', strokeWidth: 2 })
      : valueDot(x(at), y(value), size * RADIUS, paint)),
    choice: { id: String(sample), row: 0, column: sample },
  }))
  return group([through, ...drawn], name)
}

interface Plot {
  readonly left: number
  readonly right: number
  readonly bottom: number
  readonly y: (value: number) => number
  readonly size: number
}

/** Another arm's median as a line across, with its name: above the line where there is no room below. */
function referenceMarks({ name, value }: Reference, metric: MetricId, paint: Paint, plot: Plot): Mark[] {
  const { left, right, bottom, y, size } = plot
  const at = y(value / metricOf(metric).axis.divisor)
  const words = `${name}: ${formatMetric(metric, value)}`
  return [
    across(left, right, at, paint, { strokeWidth: 2, strokeDasharray: '6 5' }),
    text(left + 8, at + (at > bottom - size * 2 ? -size * 0.5 : size * 1.2), words, { fill: paint, fontSize: size }),
  ]
}

/** One chart per live metric: requests and streams have no common axis. Repeats without samples are left out. */
export function timeCharts(
  repeats: readonly RepeatState[],
  options: Omit<TimeChartOptions, 'planned'>,
  frame: Frame,
): Chart[] {
  const sampled = repeats.filter((one) =>
    one.samples.some(({ values }) => (values[kindOfRepeat(one).live] ?? null) !== null),
  )
  const alike = Map.groupBy(sampled, (one) => kindOfRepeat(one).live)
  return [...alike.values()].map((of) => timeChart(of, options, frame))
}

/** Warm-ups are dashed. @param repeats all of one live metric */
export function timeChart(
  repeats: readonly RepeatState[],
  { title, arms, reference = null, highest = reference?.value ?? null, planned = false }: TimeChartOptions,
  frame: Frame,
): Chart {
  const { width, text: size } = frame
  const [first] = repeats
  const { live, caption: what } =
    first === undefined ? { live: 'value', caption: i18n.t('value') } : kindOfRepeat(first)
  const { lines, borders, seconds, clock, ticks } = timeSeries(repeats, live, { highest, planned })
  const of = (arm: string): Paint =>
    armHue(
      arm,
      arms.findIndex(({ id }) => id === arm),
    )
  const measured = new Set(repeats.map(({ arm }) => arm))
  const named = measured.size < 2 ? [] : arms.filter(({ id }) => measured.has(id))
  const [only] = lines
  const shaded = lines.length === 1 && only !== undefined && only.omittedUntil > 0 ? only.omittedUntil : 0
  const notes = [
    lines.length > 1 ? i18n.t('one repeat after the other') : '',
    repeats.some(({ warmup }) => warmup) ? i18n.t('warm-ups dashed') : '',
    shaded > 0 ? i18n.t('start excluded') : '',
  ].filter((words) => words !== '')
  const caption = linesOf([metricOf(live).axis.title, ...notes].join(', '), width, size)
  const head = caption.length * size * LINE + size * 0.3
  const key = armKey(
    named.map(({ id, label }) => ({ name: label, paint: of(id) })),
    head,
    frame,
  )
  const left = maxOf(ticks.map((tick) => textWidth(tickWords(tick), size))) + size
  const right = width - 8
  const top = head + key.height + size * 0.8
  const foot = size * 1.7
  const high = frame.height === null ? Math.min(220, Math.max(150, width * 0.3)) : frame.height - top - foot
  const bottom = top + Math.max(size * 3, high)
  const x = (at: number): number => left + (at / seconds) * (right - left)
  const y = (value: number): number => bottom - (value / (ticks.at(-1) ?? 1)) * (bottom - top)
  const few = lines.length === 1 && (only?.points.length ?? 0) <= FEW_POINTS
  const grid = leftAxis(
    ticks.map((tick) => ({ y: y(tick), words: tickWords(tick) })),
    [left, right],
    size,
  )
  const edges = borders.map((at) => upright(x(at), top, bottom, 'line', { strokeDasharray: '3 4' }))
  const most = maxOf(
    lines.flatMap(({ points }) => points.map(({ value }) => value)),
    0,
  )
  return {
    title,
    description: i18n.t('{count, plural, one {# repeat} other {# repeats}}, at most {most} {what}.', {
      count: repeats.length,
      most: tickWords(most),
      what,
    }),
    width,
    height: bottom + foot,
    marks: [
      text(0, size, caption, { fill: 'muted', fontSize: size }),
      ...key.marks,
      ...(shaded > 0 ? [rect(left, top, x(shaded) - left, bottom - top, { fill: 'line', fillOpacity: 0.35 })] : []),
      ...grid,
      ...edges,
      ...lines.map((one) => lineMarks(one, of(one.repeat.arm), few, { x, y, size })),
      ...(reference === null
        ? []
        : referenceMarks(reference, live, of(reference.arm), { left, right, bottom, y, size })),
      text(left, bottom + size * 1.4, formatClockTime(0, clock), { fill: 'muted', fontSize: size }),
      text(right, bottom + size * 1.4, formatClockTime(Math.round(seconds), clock), {
        fill: 'muted',
        fontSize: size,
        textAnchor: 'end',
      }),
    ],
  }
}
