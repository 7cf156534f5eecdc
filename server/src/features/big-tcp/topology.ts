/**
 * The path of two pods: pod1 - node1 - bridge - node2 - pod2, each a network namespace, veth pairs between them, plain
 * kernel routing on the nodes.
 */
import { CLIENT, SERVER, type Role } from '@expresslane/shared/testbed/placement'
import { sizeAttributes, type Sizes } from '../../tools/ip-link.ts'
import { pairTools } from '../../tools/versions.ts'
import {
  linkLocal,
  veth,
  type Batch,
  type DevicePlace,
  type HostCard,
  type Mtus,
  type Topology,
} from '../../testbeds/topology.ts'

const BRIDGE = 'bridge'
const BRIDGE_DEVICE = 'br0'
const NATIVE_DEVICE = 'eth0'
const POD_DEVICE = 'eth0'

/** Half of the path: a pod, its node, and the node's port of the bridge. */
interface Half {
  readonly index: 1 | 2
  readonly role: Role
  readonly pod: string
  readonly node: string
  /** The node's end of the pod's veth pair, named as by Cilium. */
  readonly lxc: string
  readonly port: string
  readonly ipv4: { readonly pod: string; readonly gateway: string; readonly node: string; readonly pods: string }
  readonly linkLocal: { readonly pod: string; readonly gateway: string; readonly node: string }
  readonly ipv6: { readonly pod: string; readonly gateway: string; readonly node: string; readonly pods: string }
}

function half(role: Role, n: 1 | 2): Half {
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

const client = half(CLIENT, 1)
const server = half(SERVER, 2)
const halves: readonly Half[] = [client, server]
const nodes: readonly string[] = halves.map(({ node }) => node)

/** Every device from client to server, in the order of the path. */
const devices: readonly DevicePlace[] = [
  { where: client.pod, node: client.node, device: POD_DEVICE, role: 'pod', native: false },
  { where: client.node, node: client.node, device: client.lxc, role: 'node', native: false },
  { where: client.node, node: client.node, device: NATIVE_DEVICE, role: 'node', native: true },
  { where: BRIDGE, node: null, device: client.port, role: 'wire', native: false },
  { where: BRIDGE, node: null, device: BRIDGE_DEVICE, role: 'wire', native: false },
  { where: BRIDGE, node: null, device: server.port, role: 'wire', native: false },
  { where: server.node, node: server.node, device: NATIVE_DEVICE, role: 'node', native: true },
  { where: server.node, node: server.node, device: server.lxc, role: 'node', native: false },
  { where: server.pod, node: server.node, device: POD_DEVICE, role: 'pod', native: false },
]

/** The namespaces of nodes and bridge, and the wires between them. */
function nodesAndWire({ node: mtu }: Mtus): Batch {
  return {
    namespace: null,
    commands: [
      ...[BRIDGE, ...nodes].map((name) => `netns add ${name}`),
      ...halves.map(({ index, node, port }) =>
        veth(
          { where: node, device: NATIVE_DEVICE, index: 10, mtu },
          { where: BRIDGE, device: port, index: 20 + index, mtu },
        ),
      ),
    ],
  }
}

/** The bridge and its ports; the ports get their sizes first, because they limit the bridge's sizes. */
function bridgeBatch(sizes: Sizes, { node: mtu }: Mtus): Batch {
  const attributes = sizeAttributes(sizes).join(' ')
  return {
    namespace: BRIDGE,
    commands: [
      'link set lo up',
      `link add ${BRIDGE_DEVICE} mtu ${mtu} type bridge`,
      ...halves.map(({ port }) => `link set ${port} master ${BRIDGE_DEVICE} ${attributes}`),
      ...halves.map(({ port }) => `link set ${port} up`),
      `link set ${BRIDGE_DEVICE} ${attributes}`,
      `link set ${BRIDGE_DEVICE} up`,
    ],
  }
}

/** A node's native device, its address, and the way to the other node's pods. */
function nodeBatch(own: Half, other: Half): Batch {
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

/** Both pods' namespaces and their veth pairs. */
function podsBatch(mtus: Mtus): Batch {
  return {
    namespace: null,
    commands: [
      ...halves.map(({ pod }) => `netns add ${pod}`),
      ...halves.map(({ pod, node, lxc }) =>
        veth(
          { where: pod, device: POD_DEVICE, index: 10, mtu: mtus.pod },
          { where: node, device: lxc, index: 20, mtu: mtus.node },
        ),
      ),
    ],
  }
}

/** The node's end of a new pod. */
function lxcBatch({ node, lxc, ipv4, ipv6, linkLocal: { gateway } }: Half, sizes: Sizes): Batch {
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
function podBatch({ pod, ipv4, ipv6, linkLocal: own }: Half, sizes: Sizes): Batch {
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

/** Each pod's device is on the card of its host, whose packet sizes are all that changes there. */
function onTwoHosts(...cards: readonly [HostCard, HostCard]): Topology {
  const [near, far] = halves.map(({ role, pod, ipv4, ipv6 }, at) => {
    const card = cards[at] ?? cards[0]
    const along: readonly DevicePlace[] = [
      { where: pod, node: card.host, device: POD_DEVICE, role: 'pod', native: false },
      { where: card.host, node: card.host, device: card.card, role: 'node', native: true },
    ]
    return {
      ...card,
      along,
      site: { pod: { role, name: pod, node: card.host, addresses: { ipv4: ipv4.pod, ipv6: ipv6.pod } }, nodeEnd: null },
      made: [`netns add ${pod}`, `link add link ${card.card} name ${POD_DEVICE} netns ${pod} type macvlan mode bridge`],
      // Both pods are in one network: no route, and no address of a host, is needed.
      addresses: [`addr add ${ipv4.pod}/16 dev ${POD_DEVICE}`, `addr add ${ipv6.pod}/32 dev ${POD_DEVICE} nodad`],
    }
  })
  const both = [near, far].filter((one) => one !== undefined)
  return {
    ...pair,
    path: 'pod - network card - network card - pod',
    nodes: both.map(({ host }) => host),
    hosts: {
      names: both.map(({ host }) => host),
      of: (namespace) => both.find(({ host, site }) => [host, site.pod.name].includes(namespace))?.host,
    },
    devices: [...(near?.along ?? []), ...(far?.along.toReversed() ?? [])],
    pods: both.map(({ site }) => site),
    settable: ['packets-ipv4', 'packets-ipv6', 'packet-limit'],
    standing: null,
    podsBatches: () => both.map(({ host, made }) => ({ namespace: host, commands: made })),
    podBatches: (sizes) =>
      both.map(({ site, addresses }) => ({
        namespace: site.pod.name,
        commands: ['link set lo up', `link set ${POD_DEVICE} ${sizeAttributes(sizes).join(' ')} up`, ...addresses],
      })),
  }
}

export const pair: Topology = {
  path: 'pod - node - bridge - node - pod',
  nodes,
  devices,
  pods: halves.map(({ role, pod, node, lxc, ipv4, ipv6 }) => ({
    pod: { role, name: pod, node, addresses: { ipv4: ipv4.pod, ipv6: ipv6.pod } },
    nodeEnd: lxc,
  })),
  settable: ['packets-ipv4', 'packets-ipv6', 'packet-limit', 'mtu', 'cpus'],
  tools: pairTools,
  elsewhere: ['nftables', 'iptables'],
  // BIG TCP came with 5.19 for IPv6 and with 6.3 for IPv4.
  kernels: [
    { id: 'kernel-ipv6', title: 'Kernel for BIG TCP over IPv6', major: 5, minor: 19, blocks: ['big-tcp-ipv6'] },
    { id: 'kernel-ipv4', title: 'Kernel for BIG TCP over IPv4', major: 6, minor: 3, blocks: ['big-tcp-ipv4'] },
  ],
  netserver: SERVER,
  standing: {
    wire: { namespace: BRIDGE, ports: halves.map(({ port }) => port), batch: bridgeBatch },
    nodesAndWire,
    nodeBatches: [nodeBatch(client, server), nodeBatch(server, client)],
  },
  forwarders: [],
  podsBatches: (mtus) => [podsBatch(mtus)],
  podBatches: (sizes) => halves.flatMap((one) => [lxcBatch(one, sizes), podBatch(one, sizes)]),
  onTwoHosts,
}
