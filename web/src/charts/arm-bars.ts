/** What a chart of arms draws. Pure. */
import type { Verdict } from '@expresslane/shared/compare/comparison'
import type { ArmLook } from '../theme.ts'

export interface ArmBar {
  readonly arm: string
  readonly label: string
  readonly look: ArmLook
  /** Null until it was measured. */
  readonly value: number | null
  /** Every run, in the order taken. */
  readonly dots: readonly number[]
  /** The ratio's interval times the first arm's median: where the difference lies on this axis; null with too few runs. */
  readonly interval: { readonly low: number; readonly high: number } | null
  readonly changePercent: number | null
  /** Against the first arm; null for the first, and for what is no goal. */
  readonly verdict: Verdict | null
}

/** The end of the axis that they all fit on, from zero. */
export function barsEnd(bars: readonly ArmBar[]): number {
  return Math.max(0, ...bars.flatMap(({ dots, interval }) => [...dots, interval?.high ?? 0]))
}
