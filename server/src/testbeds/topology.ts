/**
 * Defines a topology: namespaces for nodes, wire and pods as data, and the `ip` commands that build them. Each belongs to a
 * feature.
 */
import type { PlaceRole } from '@expresslane/shared/testbed/reading'
import type { Primitive } from '@expresslane/shared/testbed/primitive'
import type { Capability } from '@expresslane/shared/testbed/testbed'
import type { Pod, Role } from '@expresslane/shared/testbed/placement'
import type { Sizes } from '../tools/ip-link.ts'
import { isAtLeast, type VersionedTool } from '../tools/versions.ts'

/**
 * Before Linux 7 the nodes' side has an MTU 100 larger than the pods': ip6_forward drops a packet beyond 64 KiB whose
 * segments, with the 8-byte hop-by-hop header, are larger than the next device's MTU. Linux 7 writes no such header.
 */
const NODE_EXTRA = 100
/** The MTU of pods if none was requested. */
const POD_MTU = 1500
/** The maximum MTU of a veth device (ETH_MAX_MTU). */
const MOST_MTU = 65_535
/** The largest MTU of a pod for which its node still has room, with every kernel. */
export const MOST_POD_MTU = MOST_MTU - NODE_EXTRA

/** The MTUs of a path. */
export interface Mtus {
  /** The MTU of a pod's own end. */
  readonly pod: number
  /** The MTU of the nodes' devices, and of a wire without tunnels. */
  readonly node: number
}

/**
 * The MTUs for a requested MTU of the pods.
 *
 * @param asked null for the default
 * @param release the release of the kernel that has the namespaces; an unknown release counts as old
 */
export function mtusFor(asked: number | null, release: string): Mtus {
  const pod = asked ?? POD_MTU
  return { pod, node: isAtLeast(release, 7, 0) === true ? pod : pod + NODE_EXTRA }
}

/** A device and its place on the path. */
export interface DevicePlace {
  readonly where: string
  /** The device's node; null for the wire. */
  readonly node: string | null
  readonly device: string
  readonly role: PlaceRole
  readonly native: boolean
}

/** `ip` commands in order, without the leading `ip`, for one namespace or none. */
export interface Batch {
  readonly namespace: string | null
  readonly commands: readonly string[]
}

/** A pod, whose name is also its namespace. */
export interface PodSite {
  readonly pod: Pod
  /**
   * The device of its node that is removed before its namespace, which ends later than `ip netns del`: the node's end of
   * its veth pair, or a device whose MAC address the next pod gets; null for none.
   */
  readonly nodeEnd: string | null
}

/** The network between the nodes. */
export interface Wire {
  readonly namespace: string
  /** The ends of the nodes' native devices. */
  readonly ports: readonly string[]
  batch(sizes: Sizes, mtus: Mtus): Batch
}

/** The parts that stay while pods come and go. */
export interface Standing {
  readonly wire: Wire
  /** The namespaces of nodes and wire, and the links between them. */
  nodesAndWire(mtus: Mtus): Batch
  /** Addresses and routes of each node. */
  readonly nodeBatches: readonly Batch[]
}

/** A program that something needs. */
export interface ProgramNeed {
  readonly program: string
  /** The purpose in words: `to find kernel threads`. */
  readonly what: string
  /** The primitive that it is for. */
  readonly blocks: Primitive
}

/** The oldest kernel for something. */
export interface KernelNeed {
  /** The id of the check. */
  readonly id: string
  readonly title: string
  readonly major: number
  readonly minor: number
  readonly blocks: Capability[]
}

/** Devices that preflight makes and removes again: a kernel that has them is not enough, `ip` must know them, too. */
export interface DeviceTrial {
  readonly id: Primitive
  readonly title: string
  readonly argv: readonly string[]
  readonly input: string
  /** The success in a sentence. @param lines the command's output */
  readonly says: (lines: readonly string[]) => string
  readonly remedy: string
}

/** A host's network card. The host's name is also that of its own network's namespace. */
export interface HostCard {
  readonly host: string
  readonly card: string
}

export interface Hosts {
  readonly names: readonly string[]
  /** The host of a namespace. */
  of(namespace: string): string | undefined
}

/** A network of nodes and pods. A testbed has one; a workload fits if each of its roles has a pod here. */
export interface Topology {
  /** The path in words: `pod - node - bridge - node - pod`. */
  readonly path: string
  readonly nodes: readonly string[]
  /** Every device, in the order of the path. */
  readonly devices: readonly DevicePlace[]
  /** In the order of the path. */
  readonly pods: readonly PodSite[]
  /** The primitives whose values its devices and processes can have. */
  readonly settable: readonly Primitive[]
  /** The tools that its labs need: preflight asks about them, and their versions are facts. */
  readonly tools: readonly VersionedTool[]
  /** Tools of labs on other topologies of the same machine: preflight only looks for them. @defaultValue none */
  readonly elsewhere?: readonly VersionedTool[]
  /** The programs without a version that counts that its labs need. @defaultValue none */
  readonly programs?: readonly ProgramNeed[]
  /** The kernels that its labs need. @defaultValue any */
  readonly kernels?: readonly KernelNeed[]
  /** The role whose pod has a netserver; null for none. */
  readonly netserver: Role | null
  /** The machines that its namespaces are on. @defaultValue one machine has all of them */
  readonly hosts?: Hosts
  /** The same between the network cards of two hosts, client first. @defaultValue it is on one machine only */
  onTwoHosts?(near: HostCard, far: HostCard): Topology
  /** Null if nodes and wire exist already, or if every deploy makes the whole path. */
  readonly standing: Standing | null
  /** Pods that forward packets. */
  readonly forwarders: readonly string[]
  /** The devices that its labs need. @defaultValue those of every kernel */
  readonly trials?: readonly DeviceTrial[]
  /** The namespaces of all pods, and their devices. */
  podsBatches(mtus: Mtus): readonly Batch[]
  /** Sizes, addresses and routes of new pods and their nodes' ends. */
  podBatches(sizes: Sizes): readonly Batch[]
}

/** True if there are nodes without pods. */
export function hasNodes({ standing, hosts }: Topology): boolean {
  return standing !== null || hosts !== undefined
}

/** The roles of a topology's pods. */
export function rolesOf({ pods }: Topology): Role[] {
  return pods.map(({ pod }) => pod.role)
}

interface End {
  readonly where: string
  readonly device: string
  readonly index: number
  readonly mtu: number
  /** Its MAC address. @defaultValue the kernel chooses */
  readonly mac?: string
}

/**
 * A veth pair between two namespaces. The two ends have different indexes: the kernel reports a port's carrier to its
 * bridge at once where they differ, and after up to 1 s where they happen to be equal (linkwatch_urgent_event in
 * net/core/link_watch.c).
 */
export function veth(near: End, far: End): string {
  const words = ({ where, device, index, mtu, mac }: End): string =>
    `${device} netns ${where} index ${index} mtu ${mtu}${mac === undefined ? '' : ` address ${mac}`}`
  return `link add ${words(near)} type veth peer name ${words(far)}`
}

type PodAndNode = Readonly<Record<'pod' | 'node', string>>

/** Makes the namespaces of two nodes and of a pod on each, and the wire between the nodes. @param device both ends of the wire */
export function nodesOnWire(near: PodAndNode, far: PodAndNode, device: string, mtu: number): string[] {
  return [
    ...[near, far].flatMap(({ pod, node }) => [`netns add ${pod}`, `netns add ${node}`]),
    veth({ where: near.node, device, index: 10, mtu }, { where: far.node, device, index: 11, mtu }),
  ]
}

/**
 * A fixed link-local address instead of the kernel's own. A forwarding node sends neighbour solicitations from it, and
 * can't during duplicate address detection: new pods were unreachable for 2 s.
 */
export function linkLocal(device: string, address: string): string[] {
  return [`link set ${device} addrgenmode none`, `addr add ${address}/64 dev ${device} nodad`]
}

/** Files that make a namespace forward, both families. */
export const forwardingFiles: readonly string[] = [
  '/proc/sys/net/ipv4/ip_forward',
  '/proc/sys/net/ipv6/conf/all/forwarding',
]
