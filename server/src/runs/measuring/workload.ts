import { findFeature } from '@expresslane/shared/features/settings'
import type { Lab } from '@expresslane/shared/labs/lab'
import type { Workload } from '../../testbeds/workload.ts'

/** The workload of a lab: one pod per role of its feature. */
export function workloadOf({ feature }: Lab): Workload {
  return { roles: findFeature(feature)?.roles ?? [] }
}
