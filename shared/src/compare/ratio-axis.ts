/** One axis for intervals of ratios; 1, no change, is always visible. Pure. */
import { maxOf, minOf } from '../measure/extremes.ts'
import type { ComparedRow } from './comparison.ts'

export interface RatioAxis {
  /** Ratios to label, 1 always among them. */
  readonly ticks: readonly number[]
  /** A ratio's position: 0 at the left end, 100 at the right. Logarithmic, so that 2 and 0.5 are equally far from 1. */
  readonly place: (ratio: number) => number
}

const roundRatios = [
  0.05, 0.1, 0.2, 0.25, 0.33, 0.5, 0.67, 0.75, 0.8, 0.85, 0.9, 0.95, 1, 1.05, 1.1, 1.15, 1.2, 1.25, 1.33, 1.5, 1.75, 2,
  2.5, 3, 4, 5, 10, 20,
]
/** In percent of the axis: closer labels would overlap on a phone. */
const LABEL_ROOM = 17

/** The axis that all intervals fit on, with some air at both ends. */
export function ratioAxis(rows: readonly Pick<ComparedRow, 'ratio' | 'interval'>[]): RatioAxis {
  const ends = rows
    .flatMap(({ ratio, interval }) => (interval === null ? [ratio] : [interval.low, ratio, interval.high]))
    .filter((ratio) => ratio > 0)
  const [low, high] = [minOf(ends, 0.95), maxOf(ends, 1.05)]
  const air = Math.log(high / low) * 0.06
  const [from, to] = [Math.log(low) - air, Math.log(high) + air]
  const place = (ratio: number): number => ((Math.log(Math.max(ratio, low / 2)) - from) / (to - from)) * 100
  const ticks: number[] = [1]
  const inside = roundRatios.filter((one) => place(one) >= 4 && place(one) <= 96)
  // From the ends inwards, so that both ends get labels; 1 already has one.
  for (const one of inside.toSorted((a, b) => Math.abs(place(b) - 50) - Math.abs(place(a) - 50))) {
    if (ticks.every((tick) => Math.abs(place(tick) - place(one)) >= LABEL_ROOM)) ticks.push(one)
  }
  return { ticks: ticks.toSorted((a, b) => a - b), place }
}
