/** The workload of most tests: a client and a server. */
import { CLIENT, podOf, SERVER, type Placement, type Pod, type Role } from '@expresslane/shared/testbed/placement'
import type { Workload } from '../../../src/testbeds/workload.ts'

export const pair: Workload = { roles: [CLIENT, SERVER] }

function required(placement: Placement | null, role: Role): Pod {
  const pod = podOf(placement, role)
  if (pod === null) throw new Error(`there is no ${role} pod`)
  return pod
}

/** The two pods of a placement. */
export function pairOf(placement: Placement | null): { readonly client: Pod; readonly server: Pod } {
  return { client: required(placement, CLIENT), server: required(placement, SERVER) }
}
