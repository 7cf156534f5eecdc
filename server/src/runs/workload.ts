/** The pods that a lab works with. */
import { bigTcpRoles } from '@expresslane/shared/features/big-tcp/roles'
import { LabError } from '@expresslane/shared/wire/errors'
import { podOf, type Placement, type Pod, type Role } from '@expresslane/shared/testbed/placement'
import type { Workload } from '../testbeds/workload.ts'

/** What every lab deploys. */
export const workload: Workload = { roles: bigTcpRoles }

/** @throws LabError `workload_not_ready` where no pod has this role */
export function requirePod(placement: Placement | null, role: Role): Pod {
  const pod = podOf(placement, role)
  if (pod !== null) return pod
  throw new LabError('workload_not_ready', `There is no ${role} pod.`, 'Deploy netperf, then run the step again.')
}
