/** Two sides held against each other, and the hues that they are shown in. Pure. */
import { compareSides, type SidesCompared } from '@expresslane/shared/run/compare-sides'
import type { Side } from '@expresslane/shared/run/sides'
import { armLook, type SideLooks } from '../theme.ts'

export interface ComparedInHues extends SidesCompared {
  readonly looks: SideLooks
}

/** Each side in its arm's hue; two of one arm in two hues that belong to none. */
function looksOf(before: Side, after: Side): SideLooks {
  if (before.arm.id !== after.arm.id) {
    return { off: armLook(before.arm.id, 0), on: armLook(after.arm.id, 1) }
  }
  return { off: armLook('before', 0), on: armLook('after', 1) }
}

/** @param before the side to compare with; its measurements take the place of `off` */
export function compareInHues(before: Side, after: Side): ComparedInHues {
  return { ...compareSides(before, after), looks: looksOf(before, after) }
}
