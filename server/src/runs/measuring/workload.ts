/** The pods that a lab works with. */
import { findFeature } from '@expresslane/shared/features/settings'
import type { Lab } from '@expresslane/shared/labs/lab'
import type { Workload } from '../../testbeds/workload.ts'

/** What a lab deploys: a pod for each role of its feature. */
export function workloadOf({ feature }: Lab): Workload {
  return { roles: findFeature(feature)?.roles ?? [] }
}
