/** The room's results as a dot plot: one dot per person, the median and its interval. */
import { formatFixed } from '../base/units.ts'
import { i18n } from '../base/language.ts'
import type { MedianInterval } from '../compare/stats/median-interval.ts'
import { formatRatio } from '../compare/words.ts'
import { maxOf } from '../measure/extremes.ts'
import { ratioAxis, ratioTick } from './draw/axis.ts'
import type { Chart, Frame } from './draw/chart.ts'
import { across, dot, group, rect, text, upright } from './draw/marks.ts'

const RADIUS = 7
/** A dot with the gap to the next one. */
const DOT = 2 * RADIUS + 2
const TOP = 12
/** Stacks higher than this move closer together. */
const TALLEST = 200

/** `level` 0 stands on the axis. */
export interface Dot {
  readonly x: number
  readonly level: number
}

/**
 * Stacks each dot on the dots that it would overlap.
 *
 * @param places the dots' positions on the axis, in any unit; the result has their order
 * @param width a dot's width, in the same unit
 */
export function stackDots(places: readonly number[], width: number): Dot[] {
  const stacked: Dot[] = []
  const levels = new Map<number, number>()
  const fromLeft = places.map((x, index) => ({ x, index })).toSorted((a, b) => a.x - b.x)
  for (const { x, index } of fromLeft) {
    const taken = new Set(stacked.filter((one) => x - one.x < width).map((one) => one.level))
    let level = 0
    while (taken.has(level)) level += 1
    stacked.push({ x, level })
    levels.set(index, level)
  }
  return places.map((x, index) => ({ x, level: levels.get(index) ?? 0 }))
}

export interface NamedRatio {
  readonly name: string
  readonly ratio: number
}

/** @param room the median of `results` */
export function roomChart(
  results: readonly NamedRatio[],
  { median, interval }: MedianInterval,
  title: string,
  { width, text: size }: Frame,
): Chart {
  const axis = ratioAxis(results.map(({ ratio }) => ({ ratio, interval: null })))
  const x = (ratio: number): number => (axis.place(ratio) / 100) * width
  const dots = stackDots(
    results.map(({ ratio }) => x(ratio)),
    DOT,
  )
  const levels = maxOf(
    dots.map(({ level }) => level),
    0,
  )
  const step = levels === 0 ? DOT : Math.min(DOT, (TALLEST - DOT) / levels)
  const floor = TOP + levels * step + DOT
  const band =
    interval === null
      ? []
      : [
          rect(x(interval.low), 0, Math.max(2, x(interval.high) - x(interval.low)), floor, {
            fill: 'line',
            fillOpacity: 0.6,
          }),
        ]
  const ticks = axis.ticks.flatMap((tick) => [
    upright(x(tick), 0, floor, tick === 1 ? 'muted' : 'line', tick === 1 ? { strokeDasharray: '4 3' } : {}),
    text(x(tick), floor + size * 1.4, ratioTick(tick), {
      fill: tick === 1 ? 'ink' : 'muted',
      fontSize: size,
      textAnchor: 'middle',
      ...(tick === 1 ? { fontWeight: 600 } : {}),
    }),
  ])
  const people = dots.map(({ x: at, level }, index) => {
    const { name = '', ratio = 1 } = results[index] ?? {}
    const place = floor - RADIUS - 2 - level * step
    return group(
      [dot(at, place, RADIUS, { fill: 'muted', stroke: 'surface', strokeWidth: 1.5 })],
      `${name}: ${formatRatio(ratio)}`,
    )
  })
  const [count, middle] = [results.length, formatRatio(median)]
  const description =
    interval === null
      ? i18n.t('{count} results. Median {median}.', { count, median: middle })
      : i18n.t('{count} results. Median {median}, interval {low} to {high}.', {
          count,
          median: middle,
          low: formatFixed(interval.low, 2),
          high: formatFixed(interval.high, 2),
        })
  return {
    title,
    description,
    width,
    height: floor + size * 1.9,
    marks: [
      ...band,
      ...ticks,
      across(0, width, floor, 'muted'),
      upright(x(median), 0, floor, 'ink', { strokeWidth: 3 }),
      ...people,
    ],
  }
}
