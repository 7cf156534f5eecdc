/** What can be set on a cluster, and why the rest can't. */
import { CPU_PLACEMENT, cpuPlacementIn } from '@expresslane/shared/features/cpu-placement'
import { GATEWAY_OF_CILIUM } from '@expresslane/shared/features/nat64-cluster/gateway'
import { LB_ACCELERATION, LB_MODE } from '@expresslane/shared/features/nodeport-cluster/settings'
import { limitOf, mtuOf, POD_MTU, SIZE_LIMIT, switchOf } from '@expresslane/shared/features/big-tcp/settings'
import type { Settings } from '@expresslane/shared/measure/settings'
import type { Capability } from '@expresslane/shared/testbed/testbed'
import { LabError } from '@expresslane/shared/wire/errors'
import { refuseForeign } from '../foreign.ts'

/** What Cilium offers on no cluster, and why. */
export const lacks: ReadonlyMap<Capability, string> = new Map<Capability, string>([
  ...['xdp', 'tc', 'nftables', 'iptables', 'ipvs', 'thread'].map((hook): [Capability, string] => [
    `nodeport-${hook}`,
    'On a cluster Cilium forwards a NodePort’s packets. The lab “XDP on a real cluster” measures that.',
  ]),
  ...['', '-conntrack', '-bpf', '-netkit', '-netkit-bpf'].map((how): [Capability, string] => [
    `pod-device${how}`,
    'On a cluster the device of the pods can’t be switched: Cilium fixes it when its agents are installed. To compare two clusters, measure each as it is on its Bench page, with one arm, and compare their recordings.',
  ]),
  ...['', '-tayga', '-bpf', '-pages'].map((how): [Capability, string] => [
    `translator${how}`,
    `On a cluster Expresslane makes no gateway between IPv4 and IPv6: choose this machine or the counted machine. ${GATEWAY_OF_CILIUM} The mapping of an IPv4 address and port to a service over IPv6 went in 2025 (cilium/cilium#39084). The lab “NAT46/64 as your cluster has it” looks at a gateway that is on.`,
  ]),
  [
    'size-limit',
    "Cilium sets one size for BIG TCP, the smaller of 192 KiB and the devices' tso_max_size; no other size can be set.",
  ],
  [
    'pod-mtu',
    "Cilium takes the pods' MTU from the nodes' devices; another MTU means changing every node's network, which a lab must not do.",
  ],
  [
    'cpu-placement',
    'On a cluster the nodes’ schedulers choose the CPUs of the pods; choosing one means changing the kubelets, which a lab must not do.',
  ],
  ['kernels', 'On a cluster the nodes boot the kernels that they have: choose the counted machine.'],
  [
    'quick-switch',
    'On a cluster every switch restarts the Cilium agents, which takes longer than a short measurement.',
  ],
])

/** Limit, MTU and CPU placement are known so that they can be off. */
const known = [...Object.values(switchOf), LB_ACCELERATION, LB_MODE, SIZE_LIMIT, POD_MTU, CPU_PLACEMENT]

function unsettable(what: 'size-limit' | 'pod-mtu' | 'cpu-placement'): LabError {
  return new LabError('bad_request', lacks.get(what) ?? what, 'Leave it out, or choose this machine as the testbed.')
}

/** @throws LabError `bad_request` for a setting that the testbed does not know, or a value that it can't set */
export function requireSettable(settings: Settings): void {
  refuseForeign(settings, known)
  if (limitOf(settings) !== null) throw unsettable('size-limit')
  if (mtuOf(settings) !== null) throw unsettable('pod-mtu')
  if (cpuPlacementIn(settings) !== null) throw unsettable('cpu-placement')
}
