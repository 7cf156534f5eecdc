/**
 * A pod that calls a service, its node, and the service's backend: client - node - backend. Every deploy makes all of it:
 * connections that a node tracks from an earlier measurement would slow the next.
 */
import { SERVICE_NODE } from '@expresslane/shared/features/cluster-ip/about'
import { clientLink, serverLink, type End } from '@expresslane/shared/features/cluster-ip/places'
import { CLIENT, SERVER } from '@expresslane/shared/testbed/placement'
import { linkLocal, veth, type Batch, type DevicePlace, type PodSite, type Topology } from '../../testbeds/topology.ts'

const MTU = 1500
const NODE = 'node'
/** The pods' device. */
export const POD_END = 'eth0'
/** The node's devices: the client's side and the backend's side. */
export const NODE_ENDS = ['eth0', 'eth1'] as const

const links = [
  { role: CLIENT, name: 'client', device: NODE_ENDS[0], ends: clientLink },
  { role: SERVER, name: 'backend', device: NODE_ENDS[1], ends: serverLink },
] as const

/** Addresses of one device, and its neighbour as a permanent entry: a BPF program that forwards can't ask for one. */
function deviceCommands(device: string, own: End, other: End): string[] {
  return [
    ...linkLocal(device, `fe80::${own.mac.split(':').slice(-2).join('')}`),
    `link set ${device} up`,
    `addr add ${own.ipv4}/24 dev ${device}`,
    `addr add ${own.ipv6}/112 dev ${device} nodad`,
    ...[other.ipv4, other.ipv6].map((ip) => `neigh replace ${ip} lladdr ${other.mac} dev ${device} nud permanent`),
  ]
}

const podsBatch: Batch = {
  namespace: null,
  commands: [
    ...[NODE, ...links.map(({ name }) => name)].map((name) => `netns add ${name}`),
    ...links.map(({ name, device, ends }, place) =>
      veth(
        { where: NODE, device, index: 10 + place, mtu: MTU, mac: ends.node.mac },
        { where: name, device: POD_END, index: 20 + place, mtu: MTU, mac: ends.pod.mac },
      ),
    ),
  ],
}

const onNode = (device: string): DevicePlace => ({ where: NODE, node: NODE, device, role: 'node', native: false })
const inPod = (where: string): DevicePlace => ({ where, node: where, device: POD_END, role: 'pod', native: false })

function site(role: string, name: string, { ipv4, ipv6 }: End): PodSite {
  return { pod: { role, name, node: name, addresses: { ipv4, ipv6 } }, nodeEnd: null }
}

export const serviceTopology: Topology = {
  path: 'client - node - backend',
  nodes: [NODE, ...links.map(({ name }) => name)],
  devices: [inPod(links[0].name), ...NODE_ENDS.map(onNode), inPod(links[1].name)],
  pods: [
    site(links[0].role, links[0].name, clientLink.pod),
    site(SERVICE_NODE, NODE, clientLink.node),
    site(links[1].role, links[1].name, serverLink.pod),
  ],
  settable: ['cpus'],
  tools: ['netperf', 'iproute2', 'nftables', 'iptables', 'tcpdump'],
  netserver: SERVER,
  standing: null,
  forwarders: [NODE],
  podsBatches: () => [podsBatch],
  podBatches: () => [
    {
      namespace: NODE,
      commands: ['link set lo up', ...links.flatMap(({ device, ends }) => deviceCommands(device, ends.node, ends.pod))],
    },
    ...links.map(({ name, ends }) => ({
      namespace: name,
      commands: [
        'link set lo up',
        ...deviceCommands(POD_END, ends.pod, ends.node),
        `route add default via ${ends.node.ipv4}`,
        `route add ::/0 via ${ends.node.ipv6}`,
      ],
    })),
  ],
}
