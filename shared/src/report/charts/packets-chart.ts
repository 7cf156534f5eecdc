/** The packets of one request by time and length. */
import { formatMoment, type Clock } from '../../measure/clock.ts'
import { maxOf } from '../../measure/extremes.ts'
import type { Capture } from '../../measure/capture.ts'
import { niceTicks } from '../../measure/ticks.ts'
import { formatCount, formatSize, bytes } from '../../measure/units.ts'
import type { Palette } from './palette.ts'
import { hint, label, scale, tag, type Drawing } from './svg.ts'

const SIZE = { width: 760, height: 290 }
const PLOT = { left: 72, right: 740, top: 44, bottom: 240 }
/** Lengths that differ by more than this get separate labels. */
const NAMED = 6

/** @param clock of the machine that the packets were captured on */
export function packetsChart(
  { packets, requestBytes, arm }: Capture,
  title: string,
  palette: Palette,
  clock: Clock,
): Drawing {
  const last = maxOf(
    packets.map(({ at }) => at),
    1,
  )
  const longest = maxOf(
    packets.map(({ length }) => length),
    65_536,
  )
  const ticks = niceTicks(longest)
  const x = scale(0, last, PLOT.left + 10, PLOT.right - 10)
  const y = scale(0, ticks.at(-1) ?? 1, PLOT.bottom, PLOT.top)
  const colour = { request: palette.on, response: palette.others[0] ?? palette.ink } as const
  const old = y(65_535)
  const grid =
    tag('line', { x1: PLOT.left, x2: PLOT.right, y1: PLOT.bottom, y2: PLOT.bottom, stroke: palette.line }) +
    tag('line', {
      x1: PLOT.left,
      x2: PLOT.right,
      y1: old,
      y2: old,
      stroke: palette.muted,
      'stroke-dasharray': '5 5',
    }) +
    label(PLOT.left - 10, old + 5, formatSize(bytes.parse(65_536)), {
      'text-anchor': 'end',
      fill: palette.muted,
      'font-size': 14,
    })
  const big = packets.filter(({ payload }) => payload > 0).toSorted((a, b) => b.length - a.length)
  const named = new Set(big.slice(0, NAMED))
  const stems = packets.map((packet) => {
    const [at, top] = [x(packet.at), y(packet.length)]
    const fill = colour[packet.direction]
    const words = `${packet.direction}, ${formatCount(packet.length)} bytes at ${formatMoment(packet.at, clock)}`
    const name = named.has(packet)
      ? label(at, top - 10, formatCount(packet.length), { 'text-anchor': 'middle', 'font-size': 14 })
      : ''
    return tag(
      'g',
      {},
      hint(words),
      tag('line', { x1: at, x2: at, y1: PLOT.bottom, y2: top, stroke: fill, 'stroke-width': 3 }),
      tag('circle', { cx: at, cy: top, r: 5, fill }),
      name,
    )
  })
  const key =
    tag('rect', { x: 0, y: 6, width: 14, height: 14, rx: 3, fill: colour.request }) +
    label(22, 18, 'request') +
    tag('rect', { x: 110, y: 6, width: 14, height: 14, rx: 3, fill: colour.response }) +
    label(132, 18, 'response')
  const foot =
    label(PLOT.left, 266, formatMoment(0, clock), { fill: palette.muted, 'font-size': 14 }) +
    label(PLOT.right, 266, formatMoment(last, clock), { 'text-anchor': 'end', fill: palette.muted, 'font-size': 14 })
  const lengths = big.map(({ length }) => formatCount(length)).join(', ')
  const description = `A request of ${formatCount(requestBytes)} bytes, arm ${arm}: data packets of ${lengths} bytes.`
  return { title, description, ...SIZE, body: grid + stems.join('') + key + foot }
}
