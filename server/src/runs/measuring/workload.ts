import { findFeature } from '@expresslane/shared/features/settings'
import type { Lab } from '@expresslane/shared/labs/lab'
import type { Family } from '@expresslane/shared/measure/units'
import { podOf, SERVER } from '@expresslane/shared/testbed/placement'
import type { DatapathState } from '@expresslane/shared/testbed/reading'
import type { Workload } from '../../testbeds/workload.ts'

/** The workload of a lab: one pod per role of its feature. */
export function workloadOf({ feature }: Lab): Workload {
  return { roles: findFeature(feature)?.roles ?? [] }
}

/** The address that the benchmarks of a lab call; null without pods, or if it has none of that family. */
export function calledAddress(
  { placement }: DatapathState,
  family: Family,
  { feature }: Pick<Lab, 'feature'>,
): string | null {
  return podOf(placement, findFeature(feature)?.called ?? SERVER)?.addresses[family] ?? null
}
