/**
 * Two nodes with a wire between them, and a pod for each that has no device yet: pod1 - node1 - node2 - pod2. The labs
 * compare the devices between pod and node, so the feature's pod settings make them. Each deploy makes new namespaces and
 * devices: connections that an earlier measurement left would slow the next measurement.
 */
import { halves, MTU, POD_END, WIRE, type Half } from '@expresslane/shared/features/pod-devices/places'
import { SERVER } from '@expresslane/shared/testbed/placement'
import {
  linkLocal,
  nodesOnWire,
  type Batch,
  type DevicePlace,
  type DeviceTrial,
  type Topology,
} from '../../testbeds/topology.ts'

const [clientHalf, serverHalf] = halves

const podsBatch: Batch = {
  namespace: null,
  commands: nodesOnWire(clientHalf, serverHalf, WIRE, MTU),
}

/** A node's end of the wire, and the way to the other node's pods. */
function nodeBatch(own: Half, other: Half): Batch {
  return {
    namespace: own.node,
    commands: [
      'link set lo up',
      ...linkLocal(WIRE, `fe80::${own.ipv6.node.split('::')[1] ?? ''}`),
      `link set ${WIRE} up`,
      `addr add ${own.ipv4.node}/24 dev ${WIRE}`,
      `addr add ${own.ipv6.node}/64 dev ${WIRE} nodad`,
      `route add ${other.ipv4.pods} via ${other.ipv4.node}`,
      `route add ${other.ipv6.pods} via ${other.ipv6.node}`,
    ],
  }
}

function place(of: Half, device: string, role: 'pod' | 'node'): DevicePlace {
  const where = role === 'pod' ? of.pod : of.node
  return { where, node: of.node, device, role, native: false }
}

function ofNode({ nodeRole, node, ipv4, ipv6 }: Half): Topology['pods'][number] {
  return { pod: { role: nodeRole, name: node, node, addresses: { ipv4: ipv4.node, ipv6: ipv6.node } }, nodeEnd: null }
}

function ofPod({ role, pod, node, ipv4, ipv6 }: Half): Topology['pods'][number] {
  return { pod: { role, name: pod, node, addresses: { ipv4: ipv4.pod, ipv6: ipv6.pod } }, nodeEnd: null }
}

/** `ip` knows netkit from iproute2 6.7 on, and kernels can have it from 6.7 on. */
const netkitTrial: DeviceTrial = {
  id: 'netkit',
  title: 'netkit devices can be made',
  argv: ['ip', '-batch', '-'],
  input: 'link add nk-trial type netkit mode l3 forward peer forward name nk-peer\nlink del nk-trial\n',
  says: () => 'A pair was made, and removed again.',
  remedy:
    'Install iproute2 6.7 or newer, on a kernel that has netkit (Linux 6.7 or newer). The other devices work without it.',
}

export const devices: Topology = {
  path: 'pod - node - node - pod',
  nodes: halves.map(({ node }) => node),
  devices: [
    place(clientHalf, POD_END, 'pod'),
    place(clientHalf, clientHalf.lxc, 'node'),
    place(clientHalf, WIRE, 'node'),
    place(serverHalf, WIRE, 'node'),
    place(serverHalf, serverHalf.lxc, 'node'),
    place(serverHalf, POD_END, 'pod'),
  ],
  pods: [ofPod(clientHalf), ofNode(clientHalf), ofNode(serverHalf), ofPod(serverHalf)],
  settable: ['cpus'],
  tools: ['netperf', 'iproute2', 'iperf3', 'nftables'],
  netserver: SERVER,
  standing: null,
  forwarders: halves.map(({ node }) => node),
  trials: [netkitTrial],
  podsBatches: () => [podsBatch],
  podBatches: () => [
    nodeBatch(clientHalf, serverHalf),
    nodeBatch(serverHalf, clientHalf),
    ...halves.map(({ pod }) => ({ namespace: pod, commands: ['link set lo up'] })),
  ],
}
