/** From a stream's intervals to rows and points. Pure. */
import type { StreamInterval } from '@expresslane/shared/run/events'
import type { RepeatState } from '@expresslane/shared/run/run-state'
import { formatBitRate, formatCount } from '@expresslane/shared/measure/units'
import { niceTicks, type AxisTicks } from '@expresslane/shared/measure/ticks'

const BITS_A_GIGABIT = 1e9

/** Repeats that are streams: those that have told an interval. */
export function streamRepeats(repeats: readonly RepeatState[]): RepeatState[] {
  return repeats.filter(({ intervals }) => intervals.length > 0)
}

/** `2.0–3.0 s`. */
function intervalTime({ atSeconds, seconds }: StreamInterval): string {
  return `${Math.max(0, atSeconds - seconds).toFixed(1)}–${atSeconds.toFixed(1)} s`
}

export interface IntervalRow {
  readonly time: string
  readonly rate: string
  readonly retransmits: string
  readonly cwnd: string
  readonly omitted: boolean
}

/** The rows of a stream as its tool tells them; what a tool does not tell is a dash. */
export function intervalRows(intervals: readonly StreamInterval[]): IntervalRow[] {
  return intervals.map((one) => ({
    time: intervalTime(one),
    rate: formatBitRate(one.bitsPerSecond),
    retransmits: one.retransmits === null ? '–' : formatCount(one.retransmits),
    cwnd: one.cwnd === null ? '–' : `${formatCount(one.cwnd / 1024)}K`,
    omitted: one.omitted,
  }))
}

export interface RatePoint {
  /** Percent of the axis: the middle of its interval. */
  readonly x: number
  /** Percent from the top. */
  readonly y: number
  readonly omitted: boolean
}

export interface RateLine {
  readonly points: readonly RatePoint[]
  /** Percent of the axis until which the tool leaves out what it saw; 0 for nothing. */
  readonly omittedUntil: number
  /** Gbit/s. */
  readonly ticks: AxisTicks
  readonly seconds: number
}

/** One stream's bit rate over its time, on an axis that `highest` fits on. */
export function rateLine({ intervals, seconds }: RepeatState, highest: number): RateLine {
  const omitted = intervals.filter((one) => one.omitted).at(-1)?.atSeconds ?? 0
  const whole = Math.max(seconds + omitted, intervals.at(-1)?.atSeconds ?? 0)
  const ticks = niceTicks((highest / BITS_A_GIGABIT) * 1.05)
  const top = ticks.at(-1) ?? 1
  return {
    points: intervals.map((one) => ({
      x: ((one.atSeconds - one.seconds / 2) / whole) * 100,
      y: 100 - (one.bitsPerSecond / BITS_A_GIGABIT / top) * 100,
      omitted: one.omitted,
    })),
    omittedUntil: (omitted / whole) * 100,
    ticks,
    seconds: whole,
  }
}

/** The highest rate of any interval, bits a second. */
export function highestRate(repeats: readonly RepeatState[]): number {
  return Math.max(0, ...repeats.flatMap(({ intervals }) => intervals.map((one) => one.bitsPerSecond)))
}
