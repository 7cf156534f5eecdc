/** The tool's live metric over time, run after run. */
import { benchmarkKind, metricOf } from '../../features/metrics.ts'
import type { BenchmarkKind } from '../../measure/benchmark.ts'
import { formatClockTime } from '../../measure/clock.ts'
import type { ArmPlan } from '../../measure/experiment.ts'
import type { RepeatState } from '../../run/run-state.ts'
import { maxOf } from '../../measure/extremes.ts'
import { niceTicks } from '../../measure/ticks.ts'
import { armFill, type Palette } from './palette.ts'
import { hint, label, scale, tag, type Drawing } from './svg.ts'

const KEY = { across: 3, width: 226, height: 24 }
const SIZE = { width: 760, height: 260 }
const PLOT = { left: 72, right: 750, top: 34, bottom: 214 }
/** More points than pixels show nothing more: of one repeat, and of all together. */
const MOST_POINTS = 120
const MOST_POINTS_IN_ALL = 4 * (PLOT.right - PLOT.left)
const LEAST_POINTS = 2

interface Point {
  readonly at: number
  readonly value: number
}

function kindOfRepeat({ benchmark, samples }: RepeatState): BenchmarkKind | null {
  const [first] = samples
  if (first === undefined) return null
  return benchmarkKind(benchmark ?? { tool: 'unknown' }, first.values)
}

function pointsOf({ samples }: RepeatState, { live }: BenchmarkKind, most: number): Point[] {
  const { divisor } = metricOf(live).axis
  const points = samples.flatMap(({ atSeconds, values }): Point[] => {
    const value = values[live] ?? null
    return value === null ? [] : [{ at: atSeconds, value: value / divisor }]
  })
  const every = Math.ceil(points.length / most)
  return points.filter((_, place) => place % every === 0)
}

function short(value: number): string {
  return value >= 1000 ? `${Number((value / 1000).toFixed(1))}k` : String(Number(value.toFixed(1)))
}

/** An arm of a chart; its place decides its colour. */
type ChartArm = Pick<ArmPlan, 'id' | 'label'>

/** Names and colours, in rows. */
function keyOf(arms: readonly ChartArm[], palette: Palette): string {
  return arms
    .map(({ id, label: name }, place) => {
      const x = PLOT.left + (place % KEY.across) * KEY.width
      const top = SIZE.height + Math.floor(place / KEY.across) * KEY.height
      const fill = armFill(palette, id, place)
      return (
        tag('rect', { x, y: top, width: 12, height: 12, rx: 3, fill }) +
        label(x + 18, top + 11, name, { 'font-size': 13 })
      )
    })
    .join('')
}

/** One chart per live metric: requests and streams have no common axis. Empty without samples. */
export function timeCharts(
  repeats: readonly RepeatState[],
  arms: readonly ChartArm[],
  title: string,
  palette: Palette,
): Drawing[] {
  const charts = Map.groupBy(repeats, (one) => kindOfRepeat(one)?.live)
  return [...charts.values()].flatMap((of) => timeChart(of, arms, title, palette) ?? [])
}

/**
 * Null without samples. Warm-ups are dashed.
 *
 * @param repeats all of one live metric
 * @param arms in the order of their colours; named if there is more than one
 */
export function timeChart(
  repeats: readonly RepeatState[],
  arms: readonly ChartArm[],
  title: string,
  palette: Palette,
): Drawing | null {
  const kind = repeats.map(kindOfRepeat).find((one) => one !== null)
  if (kind === undefined || kind === null) return null
  const clock = repeats[0]?.instructionsPerMicrosecond ?? null
  let seconds = 0
  const most = Math.min(MOST_POINTS, Math.max(LEAST_POINTS, Math.floor(MOST_POINTS_IN_ALL / repeats.length)))
  const lines = repeats.map((repeat) => {
    const from = seconds
    const points = pointsOf(repeat, kind, most)
    seconds += Math.max(repeat.seconds, points.at(-1)?.at ?? 0)
    return { repeat, from, points }
  })
  const highest = maxOf(
    lines.flatMap(({ points }) => points.map(({ value }) => value)),
    0,
  )
  if (highest === 0) return null
  const unit = kind.caption
  const ticks = niceTicks(highest * 1.05)
  const x = scale(0, seconds, PLOT.left, PLOT.right)
  const y = scale(0, ticks.at(-1) ?? 1, PLOT.bottom, PLOT.top)
  const grid = ticks.map(
    (tick) =>
      tag('line', { x1: PLOT.left, x2: PLOT.right, y1: y(tick), y2: y(tick), stroke: palette.line }) +
      label(PLOT.left - 10, y(tick) + 5, short(tick), { 'text-anchor': 'end', fill: palette.muted, 'font-size': 14 }),
  )
  const drawnLines = lines.map(({ repeat, from, points }) => {
    const path = points.map(({ at, value }) => `${x(from + at).toFixed(1)},${y(value).toFixed(1)}`).join(' ')
    const fill = armFill(
      palette,
      repeat.arm,
      arms.findIndex(({ id }) => id === repeat.arm),
    )
    const name = `${repeat.arm}, repeat ${repeat.repeat}${repeat.warmup ? ', a warm-up' : ''}`
    const [only] = points
    if (only !== undefined && points.length === 1) {
      return tag('circle', { cx: x(from + only.at), cy: y(only.value), r: 4, fill }, hint(name))
    }
    return tag(
      'polyline',
      {
        points: path,
        fill: 'none',
        stroke: fill,
        'stroke-width': 2,
        ...(repeat.warmup ? { 'stroke-dasharray': '3 4' } : {}),
      },
      hint(name),
    )
  })
  const foot =
    label(PLOT.left, 240, formatClockTime(0, clock), { fill: palette.muted, 'font-size': 14 }) +
    label(PLOT.right, 240, `${formatClockTime(Math.round(seconds), clock)} measured, one repeat after the other`, {
      'text-anchor': 'end',
      fill: palette.muted,
      'font-size': 14,
    })
  const warmed = repeats.some(({ warmup }) => warmup) ? ', warm-ups dashed' : ''
  const head = label(0, 18, `${unit}${warmed}`, { fill: palette.muted, 'font-size': 14 })
  const measured = arms.filter(({ id }) => repeats.some(({ arm }) => arm === id))
  const named = measured.length < 2 ? [] : arms
  const height = SIZE.height + Math.ceil(named.length / KEY.across) * KEY.height
  const description = `${repeats.length} repeats, at most ${short(highest)} ${unit}.`
  return {
    title,
    description,
    width: SIZE.width,
    height,
    body: grid.join('') + drawnLines.join('') + foot + head + keyOf(named, palette),
  }
}
