/** The room's results as a dot plot: one dot per person, the median and its interval. */
import { maxOf } from '../../measure/extremes.ts'
import { stackDots } from '../../compare/dot-plot.ts'
import { ratioAxis } from '../../compare/ratio-axis.ts'
import type { MedianInterval } from '../../compare/stats/median-interval.ts'
import type { Palette } from './palette.ts'
import { hint, label, tag, type Drawing } from './svg.ts'

const WIDTH = 760
const RADIUS = 7
/** A dot with the gap to the next one. */
const DOT = 2 * RADIUS + 2
const AXIS = 34
const TOP = 14
/** Higher stacks move closer together. */
const TALLEST = 240

const ratioWords = (ratio: number): string => `×${ratio.toFixed(2)}`

export interface NamedRatio {
  readonly name: string
  readonly ratio: number
}

/** @param room the median of `results` */
export function roomChart(
  results: readonly NamedRatio[],
  room: MedianInterval,
  title: string,
  palette: Palette,
): Drawing {
  const axis = ratioAxis(results.map(({ ratio }) => ({ ratio, interval: null })))
  const at = (ratio: number): number => (axis.place(ratio) / 100) * WIDTH
  const dots = stackDots(
    results.map(({ ratio }) => at(ratio)),
    DOT,
  )
  const levels = maxOf(
    dots.map(({ level }) => level),
    0,
  )
  const step = levels === 0 ? DOT : Math.min(DOT, TALLEST / levels)
  const floor = TOP + levels * step + DOT
  const { median, interval } = room
  const band =
    interval === null
      ? ''
      : tag('rect', {
          x: at(interval.low),
          y: 0,
          width: Math.max(2, at(interval.high) - at(interval.low)),
          height: floor,
          fill: palette.line,
          'fill-opacity': 0.5,
        })
  const line = (x: number, stroke: string, width: number): string =>
    tag('line', { x1: x, x2: x, y1: 0, y2: floor, stroke, 'stroke-width': width })
  const ticks = axis.ticks.map(
    (tick) =>
      line(at(tick), palette.line, tick === 1 ? 2 : 1) +
      label(at(tick), floor + 22, `×${Number(tick.toFixed(2))}`, { 'text-anchor': 'middle', fill: palette.muted }),
  )
  const circles = dots.map(({ x, level }, index) => {
    const { name = '', ratio = 1 } = results[index] ?? {}
    const place = { cx: x, cy: floor - RADIUS - 2 - level * step, r: RADIUS }
    return tag('circle', { ...place, fill: palette.on }, hint(`${name}: ${ratioWords(ratio)}`))
  })
  const range = interval === null ? '' : `, interval ${interval.low.toFixed(2)} to ${interval.high.toFixed(2)}`
  return {
    title,
    description: `${results.length} results. Median ${ratioWords(median)}${range}.`,
    width: WIDTH,
    height: floor + AXIS,
    body: [
      band,
      ...ticks,
      tag('line', { x1: 0, x2: WIDTH, y1: floor, y2: floor, stroke: palette.line }),
      line(at(median), palette.ink, 2),
      ...circles,
    ].join(''),
  }
}
