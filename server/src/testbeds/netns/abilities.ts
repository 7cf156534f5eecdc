/** The capabilities of a machine: all topologies on it have them together. */
import type { Capability } from '@expresslane/shared/testbed/testbed'
import type { Refusals } from '../machine/machine.ts'

const ON_A_CLUSTER = 'It switches a setting of Cilium: choose a cluster.'

export interface Abilities {
  readonly capabilities: ReadonlySet<Capability>
  readonly lacks: ReadonlyMap<Capability, string>
}

/** What can be measured on a machine that refuses this, and the reason for what can't. */
export function abilitiesOf({ cpus, bpf, thread, ipvs, netkit, tun, kernels }: Refusals): Abilities {
  const decided: readonly (readonly [capability: Capability, reason: string | null])[] = [
    ['cpu-placement', cpus],
    ['kernels', kernels],
    ['nodeport-xdp', bpf],
    ['nodeport-tc', bpf],
    ['nodeport-nftables', null],
    ['nodeport-iptables', null],
    ['nodeport-ipvs', ipvs],
    ['nodeport-thread', thread],
    ['pod-device', null],
    ['pod-device-conntrack', null],
    ['pod-device-bpf', bpf],
    ['pod-device-netkit', netkit],
    ['pod-device-netkit-bpf', netkit ?? bpf],
    ['translator', null],
    ['translator-tayga', tun],
    ['translator-bpf', bpf],
    ['translator-pages', null],
    ['lb-acceleration', ON_A_CLUSTER],
    ['lb-mode', ON_A_CLUSTER],
    ['cilium-gateway', 'It calls the gateway of Cilium: choose a cluster.'],
    ['outside-client', 'Its client runs on a machine outside of the cluster.'],
  ]
  return {
    capabilities: new Set([
      'big-tcp-ipv4',
      'big-tcp-ipv6',
      'size-limit',
      'pod-mtu',
      'iperf3',
      'capture',
      'quick-switch',
      ...decided.flatMap(([capability, reason]) => (reason === null ? [capability] : [])),
    ]),
    lacks: new Map(decided.flatMap(([capability, reason]) => (reason === null ? [] : [[capability, reason] as const]))),
  }
}
