/**
 * Two nodes with a wire between them, a pod on each: pod1 - node1 - node2 - pod2. The pod settings put the tunnel between
 * the nodes. Each deploy makes new namespaces and devices.
 */
import { halves, POD_END, TUNNEL, TUNNEL_ROOM, WIRE, type Half } from '@expresslane/shared/features/tunnel-path/places'
import { SERVER } from '@expresslane/shared/testbed/placement'
import {
  linkLocal,
  nodesOnWire,
  veth,
  type Batch,
  type DevicePlace,
  type Mtus,
  type PodSite,
  type Topology,
} from '../../testbeds/topology.ts'
import { tunnelTrials } from './commands.ts'

const [clientHalf, serverHalf] = halves

function podsBatch(mtus: Mtus): Batch {
  return {
    namespace: null,
    commands: [
      ...nodesOnWire(clientHalf, serverHalf, WIRE, mtus.node + TUNNEL_ROOM),
      ...halves.map(({ node, pod, lxc }) =>
        veth(
          { where: node, device: lxc, index: 20, mtu: mtus.node },
          { where: pod, device: POD_END, index: 21, mtu: mtus.pod },
        ),
      ),
    ],
  }
}

/** The node's devices, and the way by the wire to the other node's pods. */
function nodeBatch({ index, node, lxc, ipv4, ipv6 }: Half, other: Half): Batch {
  return {
    namespace: node,
    commands: [
      'link set lo up',
      ...linkLocal(WIRE, `fe80::1${index}`),
      ...linkLocal(lxc, 'fe80::1'),
      ...[WIRE, lxc].map((device) => `link set ${device} up`),
      `addr add ${ipv4.wire}/24 dev ${WIRE}`,
      `addr add ${ipv6.wire}/64 dev ${WIRE} nodad`,
      `addr add ${ipv4.gateway}/24 dev ${lxc}`,
      `addr add ${ipv6.gateway}/64 dev ${lxc} nodad`,
      `route add ${other.ipv4.pods} via ${other.ipv4.wire}`,
      `route add ${other.ipv6.pods} via ${other.ipv6.wire}`,
    ],
  }
}

function podBatch({ pod, ipv4, ipv6 }: Half): Batch {
  return {
    namespace: pod,
    commands: [
      'link set lo up',
      ...linkLocal(POD_END, 'fe80::2'),
      `link set ${POD_END} up`,
      `addr add ${ipv4.pod}/24 dev ${POD_END}`,
      `addr add ${ipv6.pod}/64 dev ${POD_END} nodad`,
      `route add default via ${ipv4.gateway}`,
      `route add ::/0 via ${ipv6.gateway}`,
    ],
  }
}

function places({ pod, node, lxc }: Half): DevicePlace[] {
  const onNode = (device: string): DevicePlace => ({ where: node, node, device, role: 'node', native: false })
  return [{ where: pod, node, device: POD_END, role: 'pod', native: false }, onNode(lxc), onNode(TUNNEL), onNode(WIRE)]
}

function sites({ role, nodeRole, pod, node, ipv4, ipv6 }: Half): PodSite[] {
  return [
    { pod: { role, name: pod, node, addresses: { ipv4: ipv4.pod, ipv6: ipv6.pod } }, nodeEnd: null },
    { pod: { role: nodeRole, name: node, node, addresses: { ipv4: ipv4.wire, ipv6: ipv6.wire } }, nodeEnd: null },
  ]
}

export const pathWithTunnel: Topology = {
  path: 'pod - node - node - pod',
  nodes: halves.map(({ node }) => node),
  devices: [...places(clientHalf), ...places(serverHalf).toReversed()],
  pods: [...sites(clientHalf), ...sites(serverHalf).toReversed()],
  settable: ['cpus'],
  tools: ['netperf', 'iproute2', 'tcpdump'],
  programs: [{ program: 'wg', what: 'to give WireGuard its keys', blocks: 'wireguard' }],
  netserver: SERVER,
  standing: null,
  forwarders: halves.map(({ node }) => node),
  trials: tunnelTrials,
  podsBatches: (mtus) => [podsBatch(mtus)],
  podBatches: () => [
    nodeBatch(clientHalf, serverHalf),
    nodeBatch(serverHalf, clientHalf),
    ...halves.map((one) => podBatch(one)),
  ],
}
