/** Turns captured packets into chart data. Pure, no React. */
import { maxOf } from '@expresslane/shared/measure/extremes'
import { LARGEST_LEGACY } from '@expresslane/shared/charts/packets-chart'
import { messagePackets, type Capture, type CapturedPacket } from '@expresslane/shared/measure/capture'
import { formatCount } from '@expresslane/shared/base/units'

export type Direction = CapturedPacket['direction']
export const directions: readonly Direction[] = ['request', 'response']

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

export interface LengthBin {
  /** A marked text. */
  readonly label: string
  readonly count: number
  /** Percent of the fullest bin of all captures shown. */
  readonly width: number
  /** Longer than 16 bits can express. */
  readonly beyond: boolean
}

const bins = [
  { label: /*i18n*/ 'under 100', to: 100 },
  { label: /*i18n*/ 'to 1,600', to: 1_600 },
  { label: /*i18n*/ 'to 16K', to: 16 * 1024 },
  { label: /*i18n*/ 'to 32K', to: 32 * 1024 },
  { label: /*i18n*/ 'to 64K', to: LARGEST_LEGACY + 1 },
  { label: /*i18n*/ 'to 128K', to: 128 * 1024 },
  { label: /*i18n*/ 'above', to: Number.POSITIVE_INFINITY },
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
