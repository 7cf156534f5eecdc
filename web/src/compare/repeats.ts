/** The single repeats of a comparison, which are dots in its charts. Pure. */
import type { Comparison } from '@expresslane/shared/compare/comparison'

const SIDES = ['off', 'on'] as const

export type Side = (typeof SIDES)[number]

/** Names a repeat in an address: `on.3` is the third that was compared. @param index from 0 */
export function repeatId(side: Side, index: number): string {
  return `${side}.${index + 1}`
}

/** All compared repeats, in the order taken. */
export function comparedRepeats(
  of: Comparison,
): { readonly id: string; readonly side: Side; readonly index: number }[] {
  return SIDES.flatMap((side) =>
    Array.from({ length: of[side].runs }, (_, index) => ({ id: repeatId(side, index), side, index })),
  )
}
