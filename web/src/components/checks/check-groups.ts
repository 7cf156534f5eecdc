/** Preflight's checks in the order in which they matter to a reader. Pure. */
import type { Check } from '@expresslane/shared/testbed/testbed'

export interface CheckGroups {
  /** Failed, then warnings. */
  readonly wanting: readonly Check[]
  readonly passed: readonly Check[]
  /** So many passed that they would bury the others. */
  readonly folded: boolean
}

/** More than these fill a screen. */
const SHOWN_AT_ONCE = 12

export function groupChecks(checks: readonly Check[]): CheckGroups {
  const having = (status: Check['status']): Check[] => checks.filter((check) => check.status === status)
  const passed = having('passed')
  return { wanting: [...having('failed'), ...having('warning')], passed, folded: passed.length > SHOWN_AT_ONCE }
}
