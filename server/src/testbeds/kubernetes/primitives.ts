/** The primitives of a cluster, and the reason for each that it lacks. */
import { everyPrimitive, type Primitives } from '@expresslane/shared/testbed/primitive'

const NO_RIGHTS = 'Commands in pods have the rights of their container only.'

const CILIUM = 'On a cluster Cilium makes the network of the pods.'

/** Without a client outside. */
export const primitives: Omit<Primitives, 'outside-client'> = {
  ...everyPrimitive,
  'pod-network': CILIUM,
  'forwarding-node': CILIUM,
  'packets-ipv4': NO_RIGHTS,
  'packets-ipv6': NO_RIGHTS,
  'packet-limit': NO_RIGHTS,
  mtu: "Cilium takes the pods' MTU from the nodes' devices; another MTU means changing every node's network, which a lab must not do.",
  cpus: 'On a cluster the nodes’ schedulers choose the CPUs of the pods; choosing one means changing the kubelets, which a lab must not do.',
  kernels: 'On a cluster the nodes boot the kernels that they have: choose the counted machine.',
  'kernel-thread': NO_RIGHTS,
  bpf: NO_RIGHTS,
  xdp: NO_RIGHTS,
  'cgroup-bpf': NO_RIGHTS,
  ipvs: NO_RIGHTS,
  netkit: NO_RIGHTS,
  tbf: NO_RIGHTS,
  police: NO_RIGHTS,
  fq: NO_RIGHTS,
  netem: NO_RIGHTS,
  'congestion-control': NO_RIGHTS,
  vxlan: NO_RIGHTS,
  geneve: NO_RIGHTS,
  wireguard: NO_RIGHTS,
  esp: NO_RIGHTS,
  tun: NO_RIGHTS,
  nftables: NO_RIGHTS,
  iptables: NO_RIGHTS,
  pages: NO_RIGHTS,
  profile: 'The nodes’ processors count no instructions by function: choose the counted machine.',
  'quick-switch': 'On a cluster every switch restarts the Cilium agents, which takes longer than a short measurement.',
}
