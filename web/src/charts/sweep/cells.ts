/** The data of a map of arms by cases. Pure. */
import type { ComparedRow } from '@expresslane/shared/compare/comparison'
import type { TestCase } from '@expresslane/shared/measure/experiment'

export interface SweepCell {
  readonly arm: string
  readonly label: string
  /** Compared with the first arm; null before it is compared. */
  readonly row: ComparedRow | null
  /** Whether this is the first arm, which the others are compared with. */
  readonly baseline: boolean
}

export interface SweepLine {
  readonly of: TestCase
  /** In the order of the feature's sweep. */
  readonly cells: readonly SweepCell[]
}

/** Colour strength of a cell, 0 to 1: logarithmic, so that double and half get the same strength; full at ×1.6. */
export function strength(ratio: number): number {
  return Math.min(1, Math.abs(Math.log(ratio)) / Math.log(1.6))
}
