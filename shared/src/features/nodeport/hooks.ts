/** The hooks of the kernel where a node can forward a NodePort's packets, in the order in which a packet passes them. */
import { z } from 'zod'
import type { Primitive } from '../../testbed/primitive.ts'
import type { Capability } from '../../testbed/testbed.ts'

/** `none`: the node does not forward. */
export const hook = z.enum(['none', 'xdp', 'tc', 'nftables', 'iptables', 'ipvs'])
export type Hook = z.infer<typeof hook>
/** A hook that forwards packets. */
export type ForwardingHook = Exclude<Hook, 'none'>

export const hookName: Readonly<Record<Hook, string>> = {
  none: /*i18n*/ 'no forwarding',
  xdp: 'XDP',
  tc: 'TC',
  nftables: 'nftables',
  iptables: 'iptables',
  ipvs: 'IPVS',
}

/** The capability that a hook needs; null for none. */
export const capabilityOfHook: Readonly<Record<Hook, Capability | null>> = {
  none: null,
  xdp: 'nodeport-xdp',
  tc: 'nodeport-tc',
  nftables: 'nodeport-nftables',
  iptables: 'nodeport-iptables',
  ipvs: 'nodeport-ipvs',
}

/** The primitives that a hook needs. Rules of iptables are read back with nftables. */
export const needsOfHook: Readonly<Record<Hook, readonly Primitive[]>> = {
  none: [],
  xdp: ['forwarding-node', 'bpf', 'xdp'],
  tc: ['forwarding-node', 'bpf'],
  nftables: ['forwarding-node', 'nftables'],
  iptables: ['forwarding-node', 'iptables', 'nftables'],
  ipvs: ['forwarding-node', 'ipvs'],
}
