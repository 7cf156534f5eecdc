/**
 * A client, two balancers and six backends on one switch, so that a reply can go past the balancer. The client reaches the
 * service by the first balancer, and the backends reach the client by it, too: an event makes the second one take over, and
 * the arms with direct replies take the backends' way back out. Each deploy makes all of it: a balancer that remembers
 * connections of an earlier measurement would change the next.
 */
import {
  backends,
  balancers,
  client,
  DEVICE,
  hosts,
  SERVICE,
  SWITCH,
  SWITCH_ADDRESS,
} from '@expresslane/shared/features/load-balancing/places'
import { BALANCER, STANDBY } from '@expresslane/shared/features/load-balancing/roles'
import { SERVER } from '@expresslane/shared/testbed/placement'
import { linkLocal, veth, type Batch, type Topology } from '../../testbeds/topology.ts'
import { clientRoute, serviceRoute } from './commands.ts'

const MTU = 1500

const podsBatch: Batch = {
  namespace: null,
  commands: [
    ...[SWITCH, ...hosts.map(({ name }) => name)].map((name) => `netns add ${name}`),
    ...hosts.map(({ name, mac }, index) =>
      veth(
        { where: SWITCH, device: name, index: 30 + index, mtu: MTU },
        { where: name, device: DEVICE, index: 10 + index, mtu: MTU, mac },
      ),
    ),
  ],
}

const switchBatch: Batch = {
  namespace: SWITCH,
  commands: [
    'link add bridge type bridge',
    'link set bridge up',
    `addr add ${SWITCH_ADDRESS}/24 dev bridge`,
    ...hosts.flatMap(({ name }) => [`link set ${name} master bridge`, `link set ${name} up`]),
  ],
}

function hostBatch({ name, address }: (typeof hosts)[number], index: number): Batch {
  const isBackend = backends.some((one) => one.name === name)
  return {
    namespace: name,
    commands: [
      'link set lo up',
      ...linkLocal(DEVICE, `fe80::${index + 1}`),
      `link set ${DEVICE} up`,
      `addr add ${address}/24 dev ${DEVICE}`,
      ...(name === client.name ? [serviceRoute(BALANCER)] : []),
      ...(isBackend ? [clientRoute(BALANCER)] : []),
    ],
  }
}

export const balancerTopology: Topology = {
  path: 'client - balancer - backends',
  nodes: [SWITCH, ...hosts.map(({ name }) => name)],
  devices: hosts.map(({ name }) => ({
    where: name,
    node: name,
    device: DEVICE,
    role: balancers.some((one) => one.name === name) ? ('node' as const) : ('pod' as const),
    native: false,
  })),
  pods: [
    ...hosts.map(({ role, name, address }) => ({
      // Tools call the service.
      pod: { role, name, node: name, addresses: { ipv4: role === SERVER ? SERVICE : address, ipv6: null } },
      nodeEnd: null,
    })),
    {
      pod: { role: SWITCH, name: SWITCH, node: SWITCH, addresses: { ipv4: SWITCH_ADDRESS, ipv6: null } },
      nodeEnd: null,
    },
  ],
  settable: ['cpus'],
  tools: ['netperf', 'iproute2', 'nftables', 'tcpdump'],
  netserver: SERVER,
  standing: null,
  forwarders: [BALANCER, STANDBY],
  podsBatches: () => [podsBatch],
  podBatches: () => [switchBatch, ...hosts.map(hostBatch)],
}
