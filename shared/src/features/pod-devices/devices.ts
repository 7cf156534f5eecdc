/** The devices between a pod and its node, and how each passes a packet on. */
import { z } from 'zod'
import type { Capability } from '../../testbed/testbed.ts'

/**
 * - `host`: nothing; the processes are in the node's own network namespace
 * - `veth`: a pair of devices, and the node's IP layer forwards
 * - `veth-conntrack`: the same, and the node tracks connections
 * - `veth-bpf`: the same pair, and BPF programs forward past the node's IP layer (eBPF host routing)
 * - `netkit`: netkit's pair instead of veth's, and the node's IP layer forwards
 * - `netkit-bpf`: netkit's pair with the BPF program inside
 */
export const podDevice = z.enum(['host', 'veth', 'veth-conntrack', 'veth-bpf', 'netkit', 'netkit-bpf'])
export type PodDevice = z.infer<typeof podDevice>

/** The device of a pod unless a lab or a person chose another. */
export const USUAL_DEVICE: PodDevice = 'veth'

export const deviceName: Readonly<Record<PodDevice, string>> = {
  host: /*i18n*/ 'Host namespace',
  veth: 'veth',
  'veth-conntrack': /*i18n*/ 'veth, conntrack',
  'veth-bpf': /*i18n*/ 'veth, eBPF host routing',
  netkit: 'netkit',
  'netkit-bpf': /*i18n*/ 'netkit, eBPF host routing',
}

/** Within a sentence. */
export const devicePhrase: Readonly<Record<PodDevice, string>> = {
  host: /*i18n*/ 'in the host namespace',
  veth: /*i18n*/ 'with veth',
  'veth-conntrack': /*i18n*/ 'with veth and conntrack',
  'veth-bpf': /*i18n*/ 'with veth and eBPF host routing',
  netkit: /*i18n*/ 'with netkit',
  'netkit-bpf': /*i18n*/ 'with netkit and eBPF host routing',
}

/** The capability that a device needs; any change of the pods' devices needs the first. */
export const capabilityOfDevice: Readonly<Record<PodDevice, Capability>> = {
  host: 'pod-device',
  veth: 'pod-device',
  'veth-conntrack': 'pod-device-conntrack',
  'veth-bpf': 'pod-device-bpf',
  netkit: 'pod-device-netkit',
  'netkit-bpf': 'pod-device-netkit-bpf',
}

/** Whether BPF programs forward. */
export function isRoutedByBpf(of: PodDevice): boolean {
  return of === 'veth-bpf' || of === 'netkit-bpf'
}

/** Whether the nodes' IP layer forwards between pod and wire. */
export function isForwardedByStack(of: PodDevice): boolean {
  return of !== 'host' && !isRoutedByBpf(of)
}

/**
 * Whether the pods reach each other.
 *
 * @param forwarding whether the nodes' IP layer forwards
 */
export function answers(of: PodDevice, forwarding: boolean): boolean {
  return forwarding || !isForwardedByStack(of)
}
