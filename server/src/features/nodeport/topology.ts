/**
 * A node between a client and a backend: client - node - backend, each a network namespace, one veth pair between two
 * of them. Every deploy makes all of it: connections that a node tracks from an earlier measurement would slow the next.
 */
import { BACKEND, FORWARDER } from '@expresslane/shared/features/nodeport/roles'
import { CLIENT, type Role } from '@expresslane/shared/testbed/placement'
import { linkLocal, veth, type Batch, type Topology } from '../../testbeds/topology.ts'

const MTU = 1500

/** An end of a veth pair. */
interface End {
  readonly device: string
  readonly index: number
  readonly mac: string
  readonly ipv4: string
  readonly ipv6: string
}

/** A namespace with its devices; a pod, whose address is the first device's. */
interface Place {
  readonly role: Role
  readonly name: string
  readonly ends: readonly End[]
}

/** @param link which of the two veth pairs @param host the address's last part: the node is 1, its neighbour 2 */
function end(device: string, link: 1 | 2, host: 1 | 2): End {
  return {
    device,
    // The two ends of a pair have different indexes, see `veth`.
    index: 10 * host + link,
    mac: `02:00:00:00:0${link}:0${host}`,
    ipv4: `10.4${link}.0.${host}`,
    ipv6: `fd00:4${link}::${host}`,
  }
}

const client: Place = { role: CLIENT, name: 'client', ends: [end('eth0', 1, 2)] }
const node: Place = { role: FORWARDER, name: 'node', ends: [end('eth0', 1, 1), end('eth1', 2, 1)] }
const backend: Place = { role: BACKEND, name: 'backend', ends: [end('eth0', 2, 2)] }
const places: readonly Place[] = [client, node, backend]

/** The pairs: the node's end, and its neighbour's. */
const links = [client, backend].flatMap((place, index) => {
  const [near, far] = [node.ends[index], place.ends[0]]
  return near === undefined || far === undefined ? [] : [{ place, near, far }]
})

const podsBatch: Batch = {
  namespace: null,
  commands: [
    ...places.map(({ name }) => `netns add ${name}`),
    ...links.map(({ place, near, far }) =>
      veth({ ...near, where: node.name, mtu: MTU }, { ...far, where: place.name, mtu: MTU }),
    ),
  ],
}

/**
 * Addresses, and the neighbours' as permanent entries: a hook that forwards by itself asks the kernel for the next
 * hop's MAC address, and can't send a request for an unknown address.
 */
function placeBatch({ name, ends }: Place): Batch {
  const neighbours = links.flatMap(({ place, near, far }) => {
    if (name === node.name) return [{ at: near, of: far }]
    return name === place.name ? [{ at: far, of: near }] : []
  })
  return {
    namespace: name,
    commands: [
      'link set lo up',
      ...ends.flatMap(({ device, mac, ipv4, ipv6 }) => [
        ...linkLocal(device, `fe80::${mac.split(':').slice(-2).join('')}`),
        `link set ${device} up`,
        `addr add ${ipv4}/16 dev ${device}`,
        `addr add ${ipv6}/64 dev ${device} nodad`,
      ]),
      ...neighbours.flatMap(({ at, of }) =>
        [of.ipv4, of.ipv6].map((address) => `neigh replace ${address} lladdr ${of.mac} dev ${at.device} nud permanent`),
      ),
    ],
  }
}

export const forwarder: Topology = {
  path: 'client - node - backend',
  nodes: places.map(({ name }) => name),
  devices: [client, node, backend].flatMap(({ name, ends }) =>
    ends.map(({ device }) => ({
      where: name,
      node: name,
      device,
      role: name === node.name ? ('node' as const) : ('pod' as const),
      native: false,
    })),
  ),
  pods: places.map(({ role, name, ends: [first] }) => ({
    pod: { role, name, node: name, addresses: { ipv4: first?.ipv4 ?? null, ipv6: first?.ipv6 ?? null } },
    nodeEnd: null,
  })),
  settable: ['cpus'],
  tools: ['iproute2', 'nftables', 'iptables', 'tcpdump'],
  programs: [
    { program: 'pgrep', what: 'to find kernel threads', blocks: 'kernel-thread' },
    { program: 'ipvsadm', what: 'for IPVS', blocks: 'ipvs' },
    { program: 'ipset', what: 'for IPVS', blocks: 'ipvs' },
  ],
  netserver: null,
  standing: null,
  forwarders: [node.name],
  podsBatches: () => [podsBatch],
  podBatches: () => places.map(placeBatch),
}
