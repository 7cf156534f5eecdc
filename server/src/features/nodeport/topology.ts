/**
 * A node between a client and a backend: client - node - backend, each a network namespace, one veth pair between two
 * of them. Every deploy makes all of it: connections that a node tracks from an earlier measurement would slow the next.
 * On two hosts the backend is on the other host, and the network is between the node and the backend: the CPU that makes
 * a packet also forwards it, up to the network card.
 */
import { randomBytes } from 'node:crypto'
import { BACKEND, FORWARDER } from '@expresslane/shared/features/nodeport/roles'
import { CLIENT, type Role } from '@expresslane/shared/testbed/placement'
import { linkLocal, veth, type Batch, type HostCard, type Topology } from '../../testbeds/topology.ts'

const MTU = 1500

/** A device of the path. */
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

/** The node's end of a link, and its neighbour's. */
interface Link {
  readonly place: Place
  readonly near: End
  readonly far: End
}

interface Path {
  readonly client: Place
  readonly node: Place
  readonly backend: Place
  /** In the order of the path. */
  readonly places: readonly Place[]
  readonly toClient: Link
  readonly toBackend: Link
}

/** @param own the second to fourth octet of all MAC addresses */
function pathOf(own: string): Path {
  /** @param link the first or the second @param host the address's last part: the node is 1, its neighbour 2 */
  const end = (device: string, link: 1 | 2, host: 1 | 2): End => ({
    device,
    // The two ends of a veth pair have different indexes, see `veth`.
    index: 10 * host + link,
    mac: `02:${own}:0${link}:0${host}`,
    ipv4: `10.4${link}.0.${host}`,
    ipv6: `fd00:4${link}::${host}`,
  })
  const [atClient, toClient, toBackend, atBackend] = [
    end('eth0', 1, 2),
    end('eth0', 1, 1),
    end('eth1', 2, 1),
    end('eth0', 2, 2),
  ]
  const client: Place = { role: CLIENT, name: 'client', ends: [atClient] }
  const node: Place = { role: FORWARDER, name: 'node', ends: [toClient, toBackend] }
  const backend: Place = { role: BACKEND, name: 'backend', ends: [atBackend] }
  return {
    client,
    node,
    backend,
    places: [client, node, backend],
    toClient: { place: client, near: toClient, far: atClient },
    toBackend: { place: backend, near: toBackend, far: atBackend },
  }
}

function vethOf({ node }: Path, { place, near, far }: Link): string {
  return veth({ ...near, where: node.name, mtu: MTU }, { ...far, where: place.name, mtu: MTU })
}

/**
 * Addresses, and the neighbours' as permanent entries: a hook that forwards by itself asks the kernel for the next
 * hop's MAC address, and can't send a request for an unknown address.
 */
function placeBatch({ name, ends }: Place, { node, toClient, toBackend }: Path): Batch {
  const neighbours = [toClient, toBackend].flatMap(({ place, near, far }) => {
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

function topologyOf(path: Path): Topology {
  const { node, places, toClient, toBackend } = path
  return {
    path: 'client - node - backend',
    nodes: places.map(({ name }) => name),
    devices: places.flatMap(({ name, ends }) =>
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
    podsBatches: () => [
      {
        namespace: null,
        commands: [...places.map(({ name }) => `netns add ${name}`), vethOf(path, toClient), vethOf(path, toBackend)],
      },
    ],
    podBatches: () => places.map((place) => placeBatch(place, path)),
  }
}

/** The node's and the backend's devices are on the cards of their hosts, of which nothing changes. */
function onTwoHosts(near: HostCard, far: HostCard): Topology {
  // Another server's pods can be on the same network.
  const own = [...randomBytes(3)].map((octet) => octet.toString(16).padStart(2, '0')).join(':')
  const path = pathOf(own)
  const { client, node, backend, toClient, toBackend } = path
  const topology = topologyOf(path)
  const macvlan = ({ card }: HostCard, { name }: Place, { device, mac }: End): string =>
    `link add link ${card} name ${device} netns ${name} address ${mac} type macvlan mode bridge`
  const cards = [near, far].map(({ host, card }) => ({
    where: host,
    node: host,
    device: card,
    role: 'node' as const,
    native: false,
  }))
  const names = [near.host, far.host]
  const onCards = new Map([
    [node.name, toBackend.near],
    [backend.name, toBackend.far],
  ])
  return {
    ...topology,
    path: 'client - node - network card - network card - backend',
    hosts: {
      names,
      of: (namespace) => {
        if ([near.host, client.name, node.name].includes(namespace)) return near.host
        return [far.host, backend.name].includes(namespace) ? far.host : undefined
      },
    },
    devices: [...topology.devices.slice(0, -1), ...cards, ...topology.devices.slice(-1)],
    pods: topology.pods.map((site) => ({ ...site, nodeEnd: onCards.get(site.pod.name)?.device ?? null })),
    settable: [],
    podsBatches: () => [
      {
        namespace: near.host,
        commands: [
          `netns add ${client.name}`,
          `netns add ${node.name}`,
          vethOf(path, toClient),
          macvlan(near, node, toBackend.near),
        ],
      },
      { namespace: far.host, commands: [`netns add ${backend.name}`, macvlan(far, backend, toBackend.far)] },
    ],
  }
}

export const forwarder: Topology = { ...topologyOf(pathOf('00:00:00')), onTwoHosts }
