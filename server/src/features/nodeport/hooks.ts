/** Where a packet can be handled at the node, read from the kernel: the programs on its devices, and its rules. */
import type { ForwardingHook } from '@expresslane/shared/features/nodeport/hooks'
import { FORWARDER } from '@expresslane/shared/features/nodeport/roles'
import { family } from '@expresslane/shared/base/units'
import { podOf } from '@expresslane/shared/testbed/placement'
import type { HookReading } from '@expresslane/shared/testbed/reading'
import { deviceArgv } from '../../tools/nodeport/argv.ts'
import { parseDevice, type DeviceReading } from '../../tools/nodeport/lines.ts'
import type { Pods } from '../feature.ts'
import { lookWithRights } from '../look.ts'
import type { RuleCounts, RulesRead } from './reading.ts'

async function readDevice(device: string, pods: Pick<Pods, 'look'>): Promise<DeviceReading> {
  return parseDevice((await lookWithRights(FORWARDER, deviceArgv(device), pods)).trim())
}

function hasTc({ tc, tcx }: DeviceReading): boolean {
  return tc.length + (tcx?.length ?? 0) > 0
}

/** New connections to any service, over both protocols and families. */
function newFlowsOf(rules: Readonly<Record<'ipv4' | 'ipv6', RuleCounts>>): number {
  return family.options.reduce((sum, of) => sum + rules[of].tcp + rules[of].udp + rules[of].others, 0)
}

/** @param names the node's devices @throws LabError of the tools; `signal.reason` */
export async function readHooks(
  names: readonly string[],
  { programs, nftables, iptables, ipvs }: RulesRead,
  pods: Pick<Pods, 'look' | 'placement'>,
): Promise<HookReading[]> {
  const devices: DeviceReading[] = []
  for (const name of names) devices.push(await readDevice(name, pods))
  const where = podOf(pods.placement, FORWARDER)?.name ?? FORWARDER
  const attached = (hook: 'xdp' | 'tc', isThere: (device: DeviceReading) => boolean): HookReading => {
    const at = devices.filter(isThere).map(({ name }) => name)
    const { newFlows = 0, forwarded = 0, replies = 0 } = programs?.hook === hook ? programs : {}
    const counts = programs?.hook === hook ? { newFlows, forwarded, replies } : {}
    return { where, hook, present: at.length > 0, devices: at, counts }
  }
  const rules = (hook: ForwardingHook, read: RulesRead['nftables']): HookReading => {
    const counts = read === null ? {} : { newFlows: newFlowsOf(read) }
    return { where, hook, present: read !== null, devices: [], counts }
  }
  return [
    attached('xdp', ({ xdp }) => xdp !== null),
    attached('tc', hasTc),
    rules('nftables', nftables),
    rules('iptables', iptables),
    { where, hook: 'ipvs', present: ipvs !== null, devices: [], counts: { ...ipvs } },
  ]
}
