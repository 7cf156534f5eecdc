/**
 * A gateway between a client and a server: client - gateway - server. Both ends have addresses of both families, and
 * routes only to the addresses that stand for the other end. The labs compare the translators behind these addresses,
 * so the feature's pod settings make them. Each deploy makes new namespaces and devices:
 * sessions that an earlier measurement left would slow the next measurement.
 */
import {
  client,
  END_DEVICE,
  ends,
  GATEWAY_NETWORK6,
  MTU,
  POOL,
  PREFIX,
  server,
  type End,
} from '@expresslane/shared/features/nat64/places'
import { GATEWAY } from '@expresslane/shared/features/nat64/roles'
import { CLIENT, SERVER } from '@expresslane/shared/testbed/placement'
import { pairTools } from '../../tools/versions.ts'
import { linkLocal, veth, type Batch, type Topology } from '../../testbeds/topology.ts'

const podsBatch: Batch = {
  namespace: null,
  commands: [
    ...[client.name, GATEWAY, server.name].map((name) => `netns add ${name}`),
    ...ends.map(({ name, gatewayDevice }, index) =>
      veth(
        { where: GATEWAY, device: gatewayDevice, index: 10 + index, mtu: MTU },
        { where: name, device: END_DEVICE, index: 20 + index, mtu: MTU },
      ),
    ),
  ],
}

function endBatch({ name, own, gateway }: End): Batch {
  return {
    namespace: name,
    commands: [
      'link set lo up',
      ...linkLocal(END_DEVICE, 'fe80::2'),
      `link set ${END_DEVICE} up`,
      `addr add ${own.ipv4}/24 dev ${END_DEVICE}`,
      `addr add ${own.ipv6}/64 dev ${END_DEVICE} nodad`,
      `route add ${POOL} via ${gateway.ipv4}`,
      `route add ${PREFIX} via ${gateway.ipv6}`,
      `route add ${GATEWAY_NETWORK6} via ${gateway.ipv6}`,
    ],
  }
}

const gatewayBatch: Batch = {
  namespace: GATEWAY,
  commands: [
    'link set lo up',
    ...ends.flatMap(({ gatewayDevice, gateway }) => [
      ...linkLocal(gatewayDevice, 'fe80::1'),
      `link set ${gatewayDevice} up`,
      `addr add ${gateway.ipv4}/24 dev ${gatewayDevice}`,
      `addr add ${gateway.ipv6}/64 dev ${gatewayDevice} nodad`,
    ]),
  ],
}

export const gateway: Topology = {
  path: 'client - gateway - server',
  nodes: [client.name, GATEWAY, server.name],
  devices: [
    { where: client.name, node: client.name, device: END_DEVICE, role: 'pod', native: false },
    ...ends.map(({ gatewayDevice }) => ({
      where: GATEWAY,
      node: GATEWAY,
      device: gatewayDevice,
      role: 'node' as const,
      native: false,
    })),
    { where: server.name, node: server.name, device: END_DEVICE, role: 'pod', native: false },
  ],
  pods: [
    { pod: { role: CLIENT, name: client.name, node: client.name, addresses: client.own }, nodeEnd: null },
    {
      pod: { role: GATEWAY, name: GATEWAY, node: GATEWAY, addresses: server.gateway },
      nodeEnd: null,
    },
    // The client calls these addresses, which stand for the server.
    { pod: { role: SERVER, name: server.name, node: server.name, addresses: server.standIn }, nodeEnd: null },
  ],
  settable: ['cpus'],
  tools: [...pairTools, 'curl', 'drill', 'ping', 'unbound', 'tayga'],
  netserver: SERVER,
  standing: null,
  forwarders: [GATEWAY],
  podsBatches: () => [podsBatch],
  podBatches: () => [endBatch(client), gatewayBatch, endBatch(server)],
}
