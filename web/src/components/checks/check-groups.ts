/** The preflight checks in order of importance. Pure. */
import type { Check } from '@expresslane/shared/testbed/testbed'

export interface CheckGroups {
  /** Failed, then warnings. */
  readonly wanting: readonly Check[]
  readonly passed: readonly Check[]
  /** Whether to collapse the passed checks, because there are many. */
  readonly folded: boolean
}

/** More than these fill a screen. */
const SHOWN_AT_ONCE = 12

export function groupChecks(checks: readonly Check[]): CheckGroups {
  const having = (status: Check['status']): Check[] => checks.filter((check) => check.status === status)
  const passed = having('passed')
  return { wanting: [...having('failed'), ...having('warning')], passed, folded: passed.length > SHOWN_AT_ONCE }
}
