/** Presets of the Bench page. */
import { tcpStream } from '../../tools/netperf/tcp-stream.ts'
import { tcpCrr } from '../../tools/netperf/tcp-crr.ts'
import { tcpRr } from '../../tools/netperf/tcp-rr.ts'
import type { Design } from '../../measure/experiment.ts'
import type { Settings } from '../../base/settings.ts'
import type { Preset } from '../feature.ts'
import type { PodDevice } from './devices.ts'
import { IP_FORWARDING, POD_DEVICE } from './settings.ts'

function arm(device: PodDevice): Settings {
  return { [POD_DEVICE]: device, [IP_FORWARDING]: true }
}

const design: Design = { order: 'auto', repeats: 8, seconds: 1, warmups: 1, budget: null }
const common = { families: ['ipv4'], sizes: '1', design } as const
const forAll: readonly PodDevice[] = ['host', 'veth', 'veth-conntrack']
const withBpf: readonly PodDevice[] = [...forAll, 'veth-bpf']

export const presets: readonly Preset[] = [
  { ...common, name: /*i18n*/ 'What does a pod pay?', tool: tcpRr.tool, arms: forAll.map(arm) },
  { ...common, name: /*i18n*/ 'What does eBPF host routing give back?', tool: tcpRr.tool, arms: withBpf.map(arm) },
  {
    ...common,
    name: /*i18n*/ 'Short connections, both families',
    tool: tcpCrr.tool,
    families: ['ipv4', 'ipv6'],
    arms: withBpf.map(arm),
  },
  {
    ...common,
    name: /*i18n*/ 'veth or netkit?',
    tool: tcpRr.tool,
    arms: (['veth-bpf', 'netkit-bpf'] as const).map(arm),
  },
  {
    ...common,
    name: /*i18n*/ 'One stream from pod to pod',
    tool: tcpStream.tool,
    arms: withBpf.map(arm),
    design: { ...design, repeats: 4 },
  },
]
