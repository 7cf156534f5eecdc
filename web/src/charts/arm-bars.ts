/** The data of a chart that shows all arms. Pure. */
import { maxOf } from '@expresslane/shared/measure/extremes'
import type { Verdict } from '@expresslane/shared/compare/comparison'
import type { ArmLook } from '../theme.ts'

export interface ArmBar {
  readonly arm: string
  readonly label: string
  readonly look: ArmLook
  /** Null before it is measured. */
  readonly value: number | null
  /** Every run, in order. */
  readonly dots: readonly number[]
  /** The ratio's interval times the first arm's median: the difference on this axis; null with too few runs. */
  readonly interval: { readonly low: number; readonly high: number } | null
  readonly changePercent: number | null
  /** Compared with the first arm; null for the first arm, and for a metric that is not the main one. */
  readonly verdict: Verdict | null
}

/** The end of an axis from zero that has room for all bars. */
export function barsEnd(bars: readonly ArmBar[]): number {
  return maxOf(
    bars.flatMap(({ dots, interval }) => [...dots, interval?.high ?? 0]),
    0,
  )
}
