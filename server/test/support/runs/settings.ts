/** Short names for BIG TCP's settings in tests. */
import { POD_MTU, SIZE_LIMIT, switchOf } from '@expresslane/shared/features/big-tcp/settings'
import { CPU_PLACEMENT } from '@expresslane/shared/features/cpu-placement'
import type { CpuPlacement } from '@expresslane/shared/testbed/placement'
import type { Settings } from '@expresslane/shared/base/settings'

interface BigTcp {
  readonly ipv4?: boolean
  readonly ipv6?: boolean
  readonly limit?: number | null
  readonly mtu?: number | null
  readonly cpus?: CpuPlacement | null
}

/** The named settings by id. */
export function bigTcp({ ipv4, ipv6, limit, mtu, cpus }: BigTcp): Settings {
  return {
    ...(ipv4 === undefined ? {} : { [switchOf.ipv4]: ipv4 }),
    ...(ipv6 === undefined ? {} : { [switchOf.ipv6]: ipv6 }),
    ...(limit === undefined ? {} : { [SIZE_LIMIT]: limit }),
    ...(mtu === undefined ? {} : { [POD_MTU]: mtu }),
    ...(cpus === undefined ? {} : { [CPU_PLACEMENT]: cpus }),
  }
}
