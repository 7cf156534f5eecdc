/** Packets that arrive at the balancer while a tool runs, as the proof of the replies' way. */
import { DEVICE } from '@expresslane/shared/features/load-balancing/places'
import { BALANCER } from '@expresslane/shared/features/load-balancing/roles'
import { LabError } from '@expresslane/shared/base/errors'
import { linkShowArgv, parseLinks } from '../../tools/ip-link.ts'
import type { Pods, WatchRun } from '../feature.ts'

/** @throws LabError of `ip`; `tool_output_unreadable`; `signal.reason` */
export async function packetsAtBalancer({ look }: Pick<Pods, 'look'>): Promise<number> {
  const counters = parseLinks(await look(BALANCER, linkShowArgv(DEVICE))).find(
    ({ device }) => device === DEVICE,
  )?.counters
  if (counters !== undefined && counters !== null) return counters.rxPackets
  throw new LabError(
    'tool_output_unreadable',
    `The balancer’s ${DEVICE} reports no packet counters.`,
    'Check that `ip -s -j link` prints statistics there.',
  )
}

export const watchBalancer: WatchRun = async (pods) => {
  const before = await packetsAtBalancer(pods)
  return async () => ({ balancerPackets: Math.max(0, (await packetsAtBalancer(pods)) - before) })
}
