/**
 * A pod on each of two nodes with a wire between them: pod1 - node1 - node2 - pod2. Each deploy makes all of it: queues and
 * TCP remember the stream before.
 */
import { FAR_NODE, NEAR_NODE } from '@expresslane/shared/features/limits/roles'
import { CLIENT, SERVER, type Role } from '@expresslane/shared/testbed/placement'
import { linkLocal, nodesOnWire, veth, type Batch, type DevicePlace, type Topology } from '../../testbeds/topology.ts'

const MTU = 1500
/** The nodes' ends of the wire, and the pods' own devices. */
export const WIRE = 'eth0'
export const POD_END = 'eth0'

/** A pod and its node. */
export interface Half {
  readonly role: Role
  readonly nodeRole: Role
  readonly index: 1 | 2
  readonly pod: string
  readonly node: string
  /** The node's end of the pod's device, named as by Cilium. */
  readonly lxc: string
  readonly addresses: { readonly ipv4: string; readonly ipv6: string }
}

function half(role: Role, nodeRole: Role, index: 1 | 2): Half {
  const addresses = { ipv4: `10.32.${index}.2`, ipv6: `fd00:32:${index}::2` }
  return { role, nodeRole, index, pod: `pod${index}`, node: `node${index}`, lxc: `lxc${index}`, addresses }
}

export const near = half(CLIENT, NEAR_NODE, 1)
export const far = half(SERVER, FAR_NODE, 2)
export const halves: readonly Half[] = [near, far]

const nodeAddresses = ({ index }: Half): Half['addresses'] => ({
  ipv4: `172.32.0.1${index}`,
  ipv6: `fd00:3::1${index}`,
})

const podsBatch: Batch = {
  namespace: null,
  commands: [
    ...nodesOnWire(near, far, WIRE, MTU),
    ...halves.map(({ pod, node, lxc }) =>
      veth({ where: pod, device: POD_END, index: 21, mtu: MTU }, { where: node, device: lxc, index: 20, mtu: MTU }),
    ),
  ],
}

function nodeBatch(own: Half, other: Half): Batch {
  const [{ ipv4, ipv6 }, next] = [nodeAddresses(own), nodeAddresses(other)]
  return {
    namespace: own.node,
    commands: [
      'link set lo up',
      ...linkLocal(WIRE, `fe80::1${own.index}`),
      `link set ${WIRE} up`,
      `addr add ${ipv4}/24 dev ${WIRE}`,
      `addr add ${ipv6}/64 dev ${WIRE} nodad`,
      ...linkLocal(own.lxc, 'fe80::1'),
      `link set ${own.lxc} up`,
      `addr add 10.32.${own.index}.1/24 dev ${own.lxc}`,
      `addr add fd00:32:${own.index}::1/64 dev ${own.lxc} nodad`,
      `route add 10.32.${other.index}.0/24 via ${next.ipv4}`,
      `route add fd00:32:${other.index}::/64 via ${next.ipv6}`,
    ],
  }
}

function podBatch({ pod, index, addresses: { ipv4, ipv6 } }: Half): Batch {
  return {
    namespace: pod,
    commands: [
      'link set lo up',
      ...linkLocal(POD_END, 'fe80::2'),
      `link set ${POD_END} up`,
      `addr add ${ipv4}/24 dev ${POD_END}`,
      `addr add ${ipv6}/64 dev ${POD_END} nodad`,
      `route add default via 10.32.${index}.1`,
      `route add ::/0 via fd00:32:${index}::1`,
    ],
  }
}

const place = (node: string, where: string, device: string): DevicePlace => ({
  where,
  node,
  device,
  role: where === node ? 'node' : 'pod',
  native: false,
})

export const limited: Topology = {
  path: 'pod - node - node - pod',
  nodes: halves.map(({ node }) => node),
  devices: [
    place(near.node, near.pod, POD_END),
    place(near.node, near.node, near.lxc),
    place(near.node, near.node, WIRE),
    place(far.node, far.node, WIRE),
    place(far.node, far.node, far.lxc),
    place(far.node, far.pod, POD_END),
  ],
  pods: [
    { pod: { role: CLIENT, name: near.pod, node: near.node, addresses: near.addresses }, nodeEnd: null },
    { pod: { role: NEAR_NODE, name: near.node, node: near.node, addresses: nodeAddresses(near) }, nodeEnd: null },
    { pod: { role: FAR_NODE, name: far.node, node: far.node, addresses: nodeAddresses(far) }, nodeEnd: null },
    { pod: { role: SERVER, name: far.pod, node: far.node, addresses: far.addresses }, nodeEnd: null },
  ],
  settable: ['cpus'],
  tools: ['netperf', 'iproute2'],
  programs: [
    { program: 'ping', what: 'to ping beside a stream', blocks: 'tbf' },
    { program: 'tc', what: 'to limit a pod', blocks: 'tbf' },
  ],
  netserver: SERVER,
  standing: null,
  forwarders: halves.map(({ node }) => node),
  podsBatches: () => [podsBatch],
  podBatches: () => [nodeBatch(near, far), nodeBatch(far, near), ...halves.map(podBatch)],
}
