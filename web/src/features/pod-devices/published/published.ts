/** A published gain of netkit, to show next to your own. It is never part of a computation. Pure. */
import { deviceName, type PodDevice } from '@expresslane/shared/features/pod-devices/devices'
import { deviceIn } from '@expresslane/shared/features/pod-devices/settings'
import type { MetricId } from '@expresslane/shared/measure/metrics'
import { tcpCrr } from '@expresslane/shared/tools/netperf/tcp-crr'
import type { Result } from '@expresslane/shared/run/result'

/** Connections per second in a cluster with netkit, as a multiple of the connections with veth. */
export const publishedConnections = {
  source: 'ByteDance',
  link: 'https://isovalent.com/blog/post/cilium-netkit-a-new-container-networking-paradigm-for-the-ai-era/',
  ratio: 1.12,
} as const

/** veth and netkit, forwarded in the same way. */
const pairs: readonly (readonly [PodDevice, PodDevice])[] = [
  ['veth', 'netkit'],
  ['veth-bpf', 'netkit-bpf'],
]

/** Your medians with veth and with netkit. */
export interface PairMeasured {
  /** `veth → netkit`. */
  readonly name: string
  readonly metric: MetricId
  readonly off: number
  readonly on: number
  readonly ratio: number
}

/** The pairs of one case. */
export interface CaseBeside {
  readonly id: string
  readonly label: string
  readonly measured: readonly PairMeasured[]
}

/** Your own measurements of short connections with veth and with netkit; no case without both. */
export function connectionsBeside({ plan, comparisons }: Result): CaseBeside[] {
  const device = (arm: string): PodDevice => deviceIn(plan.arms.find(({ id }) => id === arm)?.settings ?? {})
  return plan.cases.flatMap(({ id, label }) => {
    // All arms are compared with the first, so the medians of any two are there.
    const medians = new Map<PodDevice, { readonly metric: MetricId; readonly median: number }>()
    for (const { caseId, against, arm, comparison } of comparisons) {
      const [row] = comparison.rows
      if (caseId !== id || comparison.tool !== tcpCrr.tool || row === undefined) continue
      medians.set(device(against), { metric: row.metric, median: row.off })
      medians.set(device(arm), { metric: row.metric, median: row.on })
    }
    const measured = pairs.flatMap(([veth, netkit]): PairMeasured[] => {
      const [off, on] = [medians.get(veth), medians.get(netkit)]
      if (off === undefined || on === undefined || off.median === null || on.median === null || off.median === 0)
        return []
      const name = `${deviceName[veth]} → ${deviceName[netkit]}`
      return [{ name, metric: on.metric, off: off.median, on: on.median, ratio: on.median / off.median }]
    })
    return measured.length === 0 ? [] : [{ id, label, measured }]
  })
}
