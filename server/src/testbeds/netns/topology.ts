/**
 * The path as data: pod1 - node1 - bridge - node2 - pod2, each a network namespace, veth pairs
 * between them, plain kernel routing on the nodes.
 *
 * The nodes' side has an MTU 100 larger than the pods': ip6_forward drops a BIG TCP packet over IPv6 whose
 * segments, with the 8-byte hop-by-hop header, are larger than the next device's MTU.
 */
import type { Pod, PodRole } from '@expresslane/shared/testbed/testbed'
import type { PlaceRole } from '@expresslane/shared/testbed/reading'
import { sizeAttributes, type Sizes } from '../../tools/ip-link.ts'

/** Room for the hop-by-hop header. */
const NODE_EXTRA = 100
/** What pods have where nothing else was asked for. */
const POD_MTU = 1500
/** A veth device takes no larger MTU (ETH_MAX_MTU). */
const MOST_MTU = 65_535
/** The largest MTU of a pod for which its node still has room. */
export const MOST_POD_MTU = MOST_MTU - NODE_EXTRA

/** The MTU of a pod's own end; null asks for none. */
function podMtu(asked: number | null): number {
  return asked ?? POD_MTU
}

/** The MTU of nodes and wire for pods that were asked to have this one. */
export function nodeMtu(asked: number | null): number {
  return podMtu(asked) + NODE_EXTRA
}

export const BRIDGE = 'bridge'
const BRIDGE_DEVICE = 'br0'
const NATIVE_DEVICE = 'eth0'
const POD_DEVICE = 'eth0'

/** One half of the path: a pod, its node, and the node's port of the bridge. */
export interface Half {
  readonly index: 1 | 2
  readonly role: PodRole
  readonly pod: string
  readonly node: string
  /** The node's end of the pod's veth pair, by Cilium's name for it. */
  readonly lxc: string
  readonly port: string
  readonly ipv4: { readonly pod: string; readonly gateway: string; readonly node: string; readonly pods: string }
  readonly linkLocal: { readonly pod: string; readonly gateway: string; readonly node: string }
  readonly ipv6: { readonly pod: string; readonly gateway: string; readonly node: string; readonly pods: string }
}

function half(role: PodRole, n: 1 | 2): Half {
  return {
    index: n,
    role,
    pod: `pod${n}`,
    node: `node${n}`,
    lxc: `lxc${n}`,
    port: `port${n}`,
    linkLocal: { pod: 'fe80::2', gateway: 'fe80::1', node: `fe80::1${n}` },
    ipv4: { pod: `10.31.${n}.2`, gateway: `10.31.${n}.1`, node: `172.31.0.1${n}`, pods: `10.31.${n}.0/24` },
    ipv6: { pod: `fd00:31:${n}::2`, gateway: `fd00:31:${n}::1`, node: `fd00:31::1${n}`, pods: `fd00:31:${n}::/64` },
  }
}

export const clientHalf = half('client', 1)
export const serverHalf = half('server', 2)
export const halves: readonly Half[] = [clientHalf, serverHalf]
export const nodes: readonly string[] = halves.map(({ node }) => node)

interface Place {
  readonly where: string
  /** The node that the device is on; null for the wire. */
  readonly node: string | null
  readonly device: string
  readonly role: PlaceRole
  readonly native: boolean
}

/** Every device from client to server, in the order of the path. */
export const placesOfPath: readonly Place[] = [
  { where: clientHalf.pod, node: clientHalf.node, device: POD_DEVICE, role: 'pod', native: false },
  { where: clientHalf.node, node: clientHalf.node, device: clientHalf.lxc, role: 'node', native: false },
  { where: clientHalf.node, node: clientHalf.node, device: NATIVE_DEVICE, role: 'node', native: true },
  { where: BRIDGE, node: null, device: clientHalf.port, role: 'wire', native: false },
  { where: BRIDGE, node: null, device: BRIDGE_DEVICE, role: 'wire', native: false },
  { where: BRIDGE, node: null, device: serverHalf.port, role: 'wire', native: false },
  { where: serverHalf.node, node: serverHalf.node, device: NATIVE_DEVICE, role: 'node', native: true },
  { where: serverHalf.node, node: serverHalf.node, device: serverHalf.lxc, role: 'node', native: false },
  { where: serverHalf.pod, node: serverHalf.node, device: POD_DEVICE, role: 'pod', native: false },
]

/** `ip` commands in their order, each without the leading `ip`, in one namespace or none. */
export interface Batch {
  readonly namespace: string | null
  readonly commands: readonly string[]
}

interface End {
  readonly where: string
  readonly device: string
  readonly index: number
  readonly mtu: number
}

/**
 * A veth pair between two namespaces. The two ends have different indexes: the kernel tells a
 * bridge of a port's carrier at once where they differ, and after up to 1 s where they happen to
 * be equal (linkwatch_urgent_event in net/core/link_watch.c).
 */
function veth(near: End, far: End): string {
  const words = ({ where, device, index, mtu }: End): string => `${device} netns ${where} index ${index} mtu ${mtu}`
  return `link add ${words(near)} type veth peer name ${words(far)}`
}

/** The namespaces of nodes and bridge, and the wires between them. */
export const nodesAndWire: Batch = {
  namespace: null,
  commands: [
    ...[BRIDGE, ...nodes].map((name) => `netns add ${name}`),
    ...halves.map(({ index, node, port }) =>
      veth(
        { where: node, device: NATIVE_DEVICE, index: 10, mtu: nodeMtu(null) },
        { where: BRIDGE, device: port, index: 20 + index, mtu: nodeMtu(null) },
      ),
    ),
  ],
}

/** The bridge, its ports in it; the ports take their sizes first, for a bridge takes no more than its ports have. */
export function bridgeBatch(sizes: Sizes): Batch {
  const attributes = sizeAttributes(sizes).join(' ')
  return {
    namespace: BRIDGE,
    commands: [
      'link set lo up',
      `link add ${BRIDGE_DEVICE} mtu ${nodeMtu(null)} type bridge`,
      ...halves.map(({ port }) => `link set ${port} master ${BRIDGE_DEVICE} ${attributes}`),
      ...halves.map(({ port }) => `link set ${port} up`),
      `link set ${BRIDGE_DEVICE} ${attributes}`,
      `link set ${BRIDGE_DEVICE} up`,
    ],
  }
}

/**
 * A fixed link-local address in place of the kernel's own. A forwarding node solicits its neighbours
 * from it, and can't while duplicate address detection goes on: new pods were deaf for 2 s.
 */
function linkLocal(device: string, address: string): string[] {
  return [`link set ${device} addrgenmode none`, `addr add ${address}/64 dev ${device} nodad`]
}

/** A node's native device, its address, and the way to the other node's pods. */
export function nodeBatch(own: Half, other: Half): Batch {
  return {
    namespace: own.node,
    commands: [
      'link set lo up',
      ...linkLocal(NATIVE_DEVICE, own.linkLocal.node),
      `link set ${NATIVE_DEVICE} up`,
      `addr add ${own.ipv4.node}/24 dev ${NATIVE_DEVICE}`,
      `addr add ${own.ipv6.node}/64 dev ${NATIVE_DEVICE} nodad`,
      `route add ${other.ipv4.pods} via ${other.ipv4.node}`,
      `route add ${other.ipv6.pods} via ${other.ipv6.node}`,
    ],
  }
}

/** Files that make a namespace forward, both families. */
export const forwardingFiles: readonly string[] = [
  '/proc/sys/net/ipv4/ip_forward',
  '/proc/sys/net/ipv6/conf/all/forwarding',
]

/** Both pods' namespaces and their veth pairs. */
export function podsBatch(mtu: number | null): Batch {
  return {
    namespace: null,
    commands: [
      ...halves.map(({ pod }) => `netns add ${pod}`),
      ...halves.map(({ pod, node, lxc }) =>
        veth(
          { where: pod, device: POD_DEVICE, index: 10, mtu: podMtu(mtu) },
          { where: node, device: lxc, index: 20, mtu: nodeMtu(mtu) },
        ),
      ),
    ],
  }
}

/** The node's end of a new pod. */
export function lxcBatch({ node, lxc, ipv4, ipv6, linkLocal: { gateway } }: Half, sizes: Sizes): Batch {
  return {
    namespace: node,
    commands: [
      `link set ${lxc} ${sizeAttributes(sizes).join(' ')}`,
      ...linkLocal(lxc, gateway),
      `link set ${lxc} up`,
      `addr add ${ipv4.gateway}/24 dev ${lxc}`,
      `addr add ${ipv6.gateway}/64 dev ${lxc} nodad`,
    ],
  }
}

/** A new pod's own end. */
export function podBatch({ pod, ipv4, ipv6, linkLocal: own }: Half, sizes: Sizes): Batch {
  return {
    namespace: pod,
    commands: [
      'link set lo up',
      `link set ${POD_DEVICE} ${sizeAttributes(sizes).join(' ')}`,
      ...linkLocal(POD_DEVICE, own.pod),
      `link set ${POD_DEVICE} up`,
      `addr add ${ipv4.pod}/24 dev ${POD_DEVICE}`,
      `addr add ${ipv6.pod}/64 dev ${POD_DEVICE} nodad`,
      `route add default via ${ipv4.gateway}`,
      `route add ::/0 via ${ipv6.gateway}`,
    ],
  }
}

export function podOf({ role, pod, node, ipv4, ipv6 }: Half): Pod {
  return { role, name: pod, node, addresses: { ipv4: ipv4.pod, ipv6: ipv6.pod } }
}
