/** Compares two sides and chooses their hues. Pure. */
import { compareSides, type SidesCompared } from '@expresslane/shared/run/compare-sides'
import type { Side } from '@expresslane/shared/run/sides'
import { armLook, type SideLooks } from '../theme.ts'

export interface ComparedInHues extends SidesCompared {
  readonly looks: SideLooks
}

/** Each side has the hue of its arm; two sides of the same arm have two neutral hues. */
function looksOf(before: Side, after: Side): SideLooks {
  if (before.arm.id !== after.arm.id) {
    return { off: armLook(before.arm.id, 0), on: armLook(after.arm.id, 1) }
  }
  return { off: armLook('before', 0), on: armLook('after', 1) }
}

/** @param before the side to compare with; its measurements are the `off` side of the comparison */
export function compareInHues(before: Side, after: Side): ComparedInHues {
  return { ...compareSides(before, after), looks: looksOf(before, after) }
}
