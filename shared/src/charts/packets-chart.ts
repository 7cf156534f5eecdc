/** The packets of one request and its response over time: one mark per packet, as high as the packet is long. */
import { i18n } from '../base/language.ts'
import { formatInstructionCount, formatMoment, type Clock } from '../measure/clock.ts'
import type { Capture, CapturedPacket } from '../measure/capture.ts'
import { maxOf } from '../measure/extremes.ts'
import { formatCount } from '../base/units.ts'
import { labelsBelow, textWidth, type Chart, type Frame } from './draw/chart.ts'
import { armHue } from './draw/palette.ts'
import { across, group, rect, text, type Mark } from './draw/marks.ts'
import { niceTicks } from './draw/ticks.ts'

const directions = ['request', 'response'] as const
const laneName = { request: /*i18n*/ 'Request', response: /*i18n*/ 'Response' } as const
const packetWords = {
  request: /*i18n*/ 'request, {size} bytes at {moment}',
  response: /*i18n*/ 'response, {size} bytes at {moment}',
} as const
/** The largest packet whose length fits into an IP header's 16 bits. */
export const LARGEST_LEGACY = 65_535

/** The choice of a packet: its index in the capture. */
export function packetId(index: number): string {
  return String(index)
}

interface PacketsChartOptions {
  readonly title: string
  /** All captures that are shown, this one among them: they share their axes. */
  readonly captures: readonly Capture[]
  /** The clock of the machine that captured the packets. */
  readonly clock: Clock
}

/** Requests above responses. */
export function packetsChart(capture: Capture, { title, captures, clock }: PacketsChartOptions, frame: Frame): Chart {
  const { width, text: size } = frame
  const all = captures.flatMap(({ packets }) => packets)
  const ticks = niceTicks(
    maxOf(
      all.map(({ at }) => at),
      1,
    ),
  )
  const longest = maxOf(
    all.map(({ length }) => length),
    LARGEST_LEGACY + 1,
  )
  const hue = armHue(capture.arm, 0)
  const [left, right] = [0, width - 10]
  const lane = size * 5.5
  const bottomOf = (direction: CapturedPacket['direction']): number =>
    size * 3.2 + lane + (direction === 'request' ? 0 : lane + size * 2)
  const x = (at: number): number => left + (at / (ticks.at(-1) ?? 1)) * (right - left)
  const tall = (length: number): number => (length / longest) * lane
  const lanes = directions.flatMap((direction) => {
    const bottom = bottomOf(direction)
    const limit = bottom - tall(LARGEST_LEGACY)
    return [
      across(left, width, bottom, 'muted'),
      across(left, width, limit, 'line', { strokeDasharray: '5 5' }),
      text(width, limit - size * 0.35, direction === 'request' ? i18n.t('64K, the most before BIG TCP') : '64K', {
        fill: 'muted',
        fontSize: size,
        textAnchor: 'end',
      }),
      text(left, bottom - lane - size * 0.5, i18n.t(laneName[direction]), { fill: 'muted', fontSize: size }),
    ]
  })
  const mark = (packet: CapturedPacket, index: number): Mark => {
    const bare = packet.payload === 0
    const high = Math.max(bare ? 7 : 10, tall(packet.length))
    const drawn = rect(x(packet.at), bottomOf(packet.direction) - high, bare ? 3 : 9, high, {
      fill: bare ? 'muted' : hue,
      rx: 1.5,
    })
    const words = i18n.t(packetWords[packet.direction], {
      size: formatCount(packet.length),
      moment: formatMoment(packet.at, clock),
    })
    return group([drawn], words, { id: packetId(index), row: 0, column: index })
  }
  const moment = (at: number): string => (clock === null ? formatCount(at) : formatInstructionCount(at * clock))
  const bottom = bottomOf('response')
  const names = labelsBelow(
    ticks.map((at) => ({ x: x(at), words: moment(at) })),
    bottom + size * 0.4,
    { ...frame, width: Math.max(width, textWidth(moment(ticks.at(-1) ?? 0), size)) },
  )
  const lengths = capture.packets.filter(({ payload }) => payload > 0).toSorted((a, b) => b.length - a.length)
  return {
    title,
    description: i18n.t('A request of {size} bytes, arm {arm}: data packets of {sizes} bytes.', {
      size: formatCount(capture.requestBytes),
      arm: capture.arm,
      sizes: lengths.map(({ length }) => formatCount(length)).join(', '),
    }),
    width,
    height: bottom + size * 0.4 + names.height,
    marks: [
      text(
        0,
        size,
        clock === null
          ? i18n.t('Packets over time in µs, by length')
          : i18n.t('Packets by instructions since the first, by length'),
        { fill: 'muted', fontSize: size, fontWeight: 500 },
      ),
      ...lanes,
      ...capture.packets.map(mark),
      ...names.marks,
    ],
  }
}
