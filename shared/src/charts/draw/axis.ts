/** The axes of ratios and of numbers that can differ much. Pure. */
import { scaleLog } from 'd3-scale'
import type { ComparedRow } from '../../compare/comparison.ts'
import { maxOf, minOf } from '../../measure/extremes.ts'
import { niceTicks } from './ticks.ts'

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

/** The axis that all intervals fit on, with some air at both ends; 1, no change, is always on it. */
export function ratioAxis(rows: readonly Pick<ComparedRow, 'ratio' | 'interval'>[]): RatioAxis {
  const ends = rows
    .flatMap(({ ratio, interval }) => (interval === null ? [ratio] : [interval.low, ratio, interval.high]))
    .filter((ratio) => ratio > 0)
  const [low, high] = [minOf(ends, 0.95), maxOf(ends, 1.05)]
  const air = (high / low) ** 0.06
  const scale = scaleLog([low / air, high * air], [0, 100])
  const place = (ratio: number): number => scale(Math.max(ratio, low / 2))
  const ticks: number[] = [1]
  const inside = roundRatios.filter((one) => place(one) >= 4 && place(one) <= 96)
  // From the ends inwards, so that both ends get labels; 1 already has one.
  for (const one of inside.toSorted((a, b) => Math.abs(place(b) - 50) - Math.abs(place(a) - 50))) {
    if (ticks.every((tick) => Math.abs(place(tick) - place(one)) >= LABEL_ROOM)) ticks.push(one)
  }
  return { ticks: ticks.toSorted((a, b) => a - b), place }
}

/** `×1.25`, `×1`: a tick of a {@link RatioAxis}. */
export function ratioTick(tick: number): string {
  return `×${Number(tick.toFixed(2))}`
}

/** Full colour on a map of ratios: at this ratio, and at its inverse. */
export const FULL_RATIO = 1.6

/** How strong the colour of a ratio is, 0 to 1: logarithmic, so that twice and half are alike. */
export function ratioStrength(ratio: number): number {
  const scale = scaleLog([1 / FULL_RATIO, FULL_RATIO], [-1, 1]).clamp(true)
  return ratio > 0 ? Math.abs(scale(ratio)) : 1
}

/** From this ratio of the largest to the smallest number on, an axis is logarithmic. */
const LOGARITHMIC_FROM = 20
/** Places numbers on an axis from 0 to 1. */
export interface NumberAxis {
  readonly logarithmic: boolean
  readonly place: (value: number) => number
  readonly ticks: readonly number[]
}

function logarithmicTicks(low: number, high: number): number[] {
  const decades = Array.from({ length: 40 }, (_, index) => 10 ** (index - 10))
  const fine = decades.flatMap((one) => [one, 2 * one, 5 * one])
  const inside = (all: readonly number[]): number[] => all.filter((one) => one >= low && one <= high)
  return inside(decades).length >= 3 ? inside(decades) : inside(fine)
}

/** An axis for these numbers: from zero, or logarithmic if they differ much. Without d3, because followers load it. */
export function numberAxis(values: readonly number[]): NumberAxis {
  const [least, most] = [minOf(values, Number.MAX_VALUE), maxOf(values, 0)]
  if (least > 0 && most / least >= LOGARITHMIC_FROM) {
    const [low, high] = [least / 1.3, most * 1.3]
    const place = (value: number): number => Math.log(value / low) / Math.log(high / low)
    return { logarithmic: true, place, ticks: logarithmicTicks(low, high) }
  }
  const ticks = niceTicks(most)
  const end = ticks.at(-1) ?? 1
  return { logarithmic: false, place: (value) => value / end, ticks }
}
