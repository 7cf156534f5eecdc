/** Turns captured packets into chart data. Pure, no React. */
import { maxOf } from '@expresslane/shared/measure/extremes'
import { messagePackets, type Capture, type CapturedPacket } from '@expresslane/shared/measure/capture'
import { formatCount } from '@expresslane/shared/measure/units'
import { niceTicks, type AxisTicks } from '@expresslane/shared/measure/ticks'

export type Direction = CapturedPacket['direction']
export const directions: readonly Direction[] = ['request', 'response']

/** The largest packet whose length fits into an IP header's 16 bits. */
export const LARGEST_LEGACY = 65_535

/** `65,160 + 14,840`. */
export function payloadSum(capture: Capture, direction: Direction): string {
  return messagePackets(capture, direction)
    .map(({ payload }) => formatCount(payload))
    .join(' + ')
}

export interface Piece {
  /** Percent of the widest message of all captures shown. */
  readonly from: number
  readonly width: number
  readonly payload: number
}

/** A message as the packets that carried it. */
export function pieces(capture: Capture, direction: Direction, widest: number): Piece[] {
  let sent = 0
  return messagePackets(capture, direction).map(({ payload }) => {
    const piece = { from: (sent / widest) * 100, width: (payload / widest) * 100, payload }
    sent += payload
    return piece
  })
}

/** Bytes of the longest message that any of the captures carries. */
export function widestMessage(captures: readonly Capture[]): number {
  const widths = captures.flatMap((capture) =>
    directions.map((direction) => messagePackets(capture, direction).reduce((sum, { payload }) => sum + payload, 0)),
  )
  return maxOf(widths, 1)
}

export interface Stem {
  /** The packet's index in the capture. */
  readonly index: number
  readonly direction: Direction
  /** Percent of the time axis. */
  readonly x: number
  /** 0 to 1, of the largest packet of all captures shown. */
  readonly height: number
  /** A bare acknowledgement. */
  readonly bare: boolean
}

/** The time axis that captures share, in microseconds. */
export function timeAxis(captures: readonly Capture[]): AxisTicks {
  return niceTicks(
    maxOf(
      captures.flatMap(({ packets }) => packets.map(({ at }) => at)),
      1,
    ),
  )
}

/** Every packet at its time; the height is its length. */
export function stems(capture: Capture, captures: readonly Capture[]): Stem[] {
  const end = timeAxis(captures).at(-1) ?? 1
  const longest = maxOf(
    captures.flatMap(({ packets }) => packets.map(({ length }) => length)),
    1,
  )
  return capture.packets.map(({ at, direction, length, payload }, index) => ({
    index,
    direction,
    x: (at / end) * 100,
    height: length / longest,
    bare: payload === 0,
  }))
}

export interface LengthBin {
  readonly label: string
  readonly count: number
  /** Percent of the fullest bin of all captures shown. */
  readonly width: number
  /** Longer than 16 bits can express. */
  readonly beyond: boolean
}

const bins = [
  { label: 'under 100', to: 100 },
  { label: 'to 1,600', to: 1_600 },
  { label: 'to 16K', to: 16 * 1024 },
  { label: 'to 32K', to: 32 * 1024 },
  { label: 'to 64K', to: LARGEST_LEGACY + 1 },
  { label: 'to 128K', to: 128 * 1024 },
  { label: 'above', to: Number.POSITIVE_INFINITY },
] as const

function binOf(length: number): number {
  return bins.findIndex(({ to }) => length < to)
}

function countBins({ packets }: Capture): number[] {
  return bins.map((_, bin) => packets.filter(({ length }) => binOf(length) === bin).length)
}

/** The number of packets by length, without trailing bins that are empty in all captures. */
export function lengthBins(capture: Capture, captures: readonly Capture[]): LengthBin[] {
  const all = captures.map(countBins)
  const fullest = maxOf(all.flat(), 1)
  const last = bins.findLastIndex((_, bin) => all.some((counts) => (counts[bin] ?? 0) > 0))
  const own = countBins(capture)
  return bins.slice(0, last + 1).map(({ label, to }, bin) => {
    const count = own[bin] ?? 0
    return { label, count, width: (count / fullest) * 100, beyond: to > LARGEST_LEGACY + 1 }
  })
}
