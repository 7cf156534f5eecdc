/** The pods that a lab works with. */
import { bigTcpRoles } from '@expresslane/shared/features/big-tcp/roles'
import type { Workload } from '../testbeds/workload.ts'

/** What every lab deploys. */
export const workload: Workload = { roles: bigTcpRoles }
