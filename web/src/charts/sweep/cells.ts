/** What a map of arms by cases draws. Pure. */
import type { ComparedRow } from '@expresslane/shared/compare/comparison'
import type { TestCase } from '@expresslane/shared/measure/experiment'

export interface SweepCell {
  readonly arm: string
  readonly label: string
  /** Against the first arm; null while it was not compared. */
  readonly row: ComparedRow | null
  /** The first arm itself, which all others are held against. */
  readonly baseline: boolean
}

export interface SweepLine {
  readonly of: TestCase
  /** From the smallest limit to the largest. */
  readonly cells: readonly SweepCell[]
}

/** How strongly a cell is coloured, 0 to 1: by the logarithm, so that twice and half weigh alike; full at ×1.6. */
export function strength(ratio: number): number {
  return Math.min(1, Math.abs(Math.log(ratio)) / Math.log(1.6))
}
