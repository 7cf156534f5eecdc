/** A tool's live metric over time, run after run. */
import { formatMetric, metricOf } from '../features/metrics.ts'
import { formatClockTime } from '../measure/clock.ts'
import type { ArmPlan } from '../measure/experiment.ts'
import { maxOf } from '../measure/extremes.ts'
import type { RepeatState } from '../run/run-state.ts'
import { armKey, linesOf, textWidth, valueDot, type Chart, type Frame } from './draw/chart.ts'
import { armHue, type Paint } from './draw/palette.ts'
import { dot, group, LINE, line, rect, text, type Mark } from './draw/marks.ts'
import { tickWords } from './draw/ticks.ts'
import { kindOfRepeat, timeSeries, type TimeLine, type TimeOptions } from './time-series.ts'

/** Up to so many points, each has a dot. */
const FEW_POINTS = 40

/** An arm of a chart; its place decides its colour. */
type ChartArm = Pick<ArmPlan, 'id' | 'label'>

interface TimeChartOptions extends TimeOptions {
  readonly title: string
  /** In the order of their colours; named if more than one was measured. */
  readonly arms: readonly ChartArm[]
  /** Another arm's median in the metric's own unit, as a line across; null for none. */
  readonly reference?: { readonly name: string; readonly arm: string; readonly value: number } | null
}

function lineMarks(
  { repeat, points }: TimeLine,
  paint: Paint,
  few: boolean,
  place: (point: { at: number; value: number }) => readonly [number, number],
): Mark {
  const name = `${repeat.arm}, repeat ${repeat.repeat}${repeat.warmup ? ', a warm-up' : ''}`
  const dashed = repeat.warmup ? { strokeDasharray: '3 4' } : {}
  const dots = points.map((point) => {
    const [x, y] = place(point)
    return point.omitted
      ? dot(x, y, 4, { fill: 'surface', stroke: 'muted', strokeWidth: 2 })
      : valueDot(x, y, 4.5, paint)
  })
  return group([line(points.map(place), paint, { strokeWidth: 2.5, ...dashed }), ...(few ? dots : [])], name)
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
  const { live, caption: what } = first === undefined ? { live: 'value', caption: 'value' } : kindOfRepeat(first)
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
    lines.length > 1 ? 'one repeat after the other' : '',
    repeats.some(({ warmup }) => warmup) ? 'warm-ups dashed' : '',
    shaded > 0 ? 'start excluded' : '',
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
  const grid = ticks.flatMap((tick) => [
    line(
      [
        [left, y(tick)],
        [right, y(tick)],
      ],
      'line',
    ),
    text(left - size * 0.6, y(tick) + size * 0.35, tickWords(tick), {
      fill: 'muted',
      fontSize: size,
      textAnchor: 'end',
    }),
  ])
  const edges = borders.map((at) =>
    line(
      [
        [x(at), top],
        [x(at), bottom],
      ],
      'line',
      { strokeDasharray: '3 4' },
    ),
  )
  const across = reference === null ? null : y(reference.value / metricOf(live).axis.divisor)
  const before =
    reference === null || across === null
      ? []
      : [
          line(
            [
              [left, across],
              [right, across],
            ],
            of(reference.arm),
            { strokeWidth: 2, strokeDasharray: '6 5' },
          ),
          text(
            left + 8,
            across + (across > bottom - size * 2 ? -size * 0.5 : size * 1.2),
            `${reference.name}: ${formatMetric(live, reference.value)}`,
            {
              fill: of(reference.arm),
              fontSize: size,
            },
          ),
        ]
  const most = maxOf(
    lines.flatMap(({ points }) => points.map(({ value }) => value)),
    0,
  )
  return {
    title,
    description: `${repeats.length} ${repeats.length === 1 ? 'repeat' : 'repeats'}, at most ${tickWords(most)} ${what}.`,
    width,
    height: bottom + foot,
    marks: [
      text(0, size, caption, { fill: 'muted', fontSize: size }),
      ...key.marks,
      ...(shaded > 0 ? [rect(left, top, x(shaded) - left, bottom - top, { fill: 'line', fillOpacity: 0.35 })] : []),
      ...grid,
      ...edges,
      ...lines.map((one) => lineMarks(one, of(one.repeat.arm), few, ({ at, value }) => [x(at), y(value)])),
      ...before,
      text(left, bottom + size * 1.4, formatClockTime(0, clock), { fill: 'muted', fontSize: size }),
      text(right, bottom + size * 1.4, formatClockTime(Math.round(seconds), clock), {
        fill: 'muted',
        fontSize: size,
        textAnchor: 'end',
      }),
    ],
  }
}
