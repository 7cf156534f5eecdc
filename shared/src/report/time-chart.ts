/** What was measured as it was measured: transactions or bits a second over time, run after run. */
import type { RepeatState } from '../run-state.ts'
import { niceTicks } from '../ticks.ts'
import { armFill, type Palette } from './palette.ts'
import { hint, label, scale, tag, type Drawing } from './svg.ts'

const SIZE = { width: 760, height: 260 }
const PLOT = { left: 72, right: 750, top: 34, bottom: 214 }
/** More points than pixels say nothing more. */
const MOST_POINTS = 120

interface Point {
  readonly at: number
  readonly value: number
}

function pointsOf({ samples, intervals }: RepeatState): Point[] {
  const points =
    samples.length > 0
      ? samples.map(({ atSeconds, tps }) => ({ at: atSeconds, value: tps }))
      : intervals.map(({ atSeconds, bitsPerSecond }) => ({ at: atSeconds, value: bitsPerSecond / 1e9 }))
  const every = Math.ceil(points.length / MOST_POINTS)
  return points.filter((_, place) => place % every === 0)
}

function short(value: number): string {
  return value >= 1000 ? `${Number((value / 1000).toFixed(1))}k` : String(Number(value.toFixed(1)))
}

/**
 * Null where nothing was sampled. Warm-ups are drawn dashed.
 *
 * @param arms their ids in the order that gives them their colours
 */
export function timeChart(
  repeats: readonly RepeatState[],
  arms: readonly string[],
  title: string,
  palette: Palette,
): Drawing | null {
  let seconds = 0
  const lines = repeats.map((repeat) => {
    const from = seconds
    const points = pointsOf(repeat)
    seconds += Math.max(repeat.seconds, points.at(-1)?.at ?? 0)
    return { repeat, from, points }
  })
  const highest = Math.max(0, ...lines.flatMap(({ points }) => points.map(({ value }) => value)))
  if (highest === 0) return null
  const unit = repeats.some(({ samples }) => samples.length > 0) ? 'transactions a second' : 'Gbit/s'
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
    const fill = armFill(palette, repeat.arm, arms.indexOf(repeat.arm))
    const name = `${repeat.arm}, run ${repeat.repeat}${repeat.warmup ? ', a warm-up' : ''}`
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
    label(PLOT.left, 240, '0 s', { fill: palette.muted, 'font-size': 14 }) +
    label(PLOT.right, 240, `${Math.round(seconds)} s measured, run after run`, {
      'text-anchor': 'end',
      fill: palette.muted,
      'font-size': 14,
    })
  const warmed = repeats.some(({ warmup }) => warmup) ? ', warm-ups dashed' : ''
  const head = label(0, 18, `${unit}${warmed}`, { fill: palette.muted, 'font-size': 14 })
  const description = `${repeats.length} runs, at most ${short(highest)} ${unit}.`
  return { title, description, ...SIZE, body: grid.join('') + drawnLines.join('') + foot + head }
}
