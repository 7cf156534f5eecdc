/** What a topology is: namespaces as nodes, wire and pods, as data, and the `ip` commands that build them. */
import type { PlaceRole } from '@expresslane/shared/testbed/reading'
import type { Pod, Role } from '@expresslane/shared/testbed/placement'
import type { Sizes } from '../../../tools/ip-link.ts'

/**
 * The nodes' side has an MTU 100 larger than the pods': ip6_forward drops a BIG TCP packet over IPv6 whose segments,
 * with the 8-byte hop-by-hop header, are larger than the next device's MTU.
 */
const NODE_EXTRA = 100
/** The MTU of pods where none was asked for. */
const POD_MTU = 1500
/** A veth device takes no larger MTU (ETH_MAX_MTU). */
const MOST_MTU = 65_535
/** The largest MTU of a pod for which its node still has room. */
export const MOST_POD_MTU = MOST_MTU - NODE_EXTRA

/** The MTU of a pod's own end; null asks for none. */
export function podMtu(asked: number | null): number {
  return asked ?? POD_MTU
}

/** The MTU of nodes and wire for pods that were asked to have this one. */
export function nodeMtu(asked: number | null): number {
  return podMtu(asked) + NODE_EXTRA
}

/** A device's place. */
export interface DevicePlace {
  readonly where: string
  /** The node that the device is on; null for the wire. */
  readonly node: string | null
  readonly device: string
  readonly role: PlaceRole
  readonly native: boolean
}

/** `ip` commands in their order, each without the leading `ip`, in one namespace or none. */
export interface Batch {
  readonly namespace: string | null
  readonly commands: readonly string[]
}

/** A pod, its namespace being its name, and the node's end of its veth pair. */
export interface PodSite {
  readonly pod: Pod
  readonly nodeEnd: string
}

/** What lies between the nodes. */
export interface Wire {
  readonly namespace: string
  /** The ends of the nodes' native devices. */
  readonly ports: readonly string[]
  batch(sizes: Sizes): Batch
}

/** One topology. A testbed is built with one; a workload fits when each of its roles has a pod here. */
export interface Topology {
  readonly nodes: readonly string[]
  /** Every device, in the order of the path. */
  readonly devices: readonly DevicePlace[]
  /** In the order of the path. */
  readonly pods: readonly PodSite[]
  readonly wire: Wire
  /** The namespaces of nodes and wire, and the links between them. */
  readonly nodesAndWire: Batch
  /** Addresses and routes of each node. */
  readonly nodeBatches: readonly Batch[]
  /** Both ends of every pod's veth pair. */
  podsBatch(mtu: number | null): Batch
  /** Sizes, addresses and routes of new pods and their nodes' ends. */
  podBatches(sizes: Sizes): readonly Batch[]
}

/** The roles that a topology has a pod for. */
export function rolesOf({ pods }: Topology): Role[] {
  return pods.map(({ pod }) => pod.role)
}

interface End {
  readonly where: string
  readonly device: string
  readonly index: number
  readonly mtu: number
}

/**
 * A veth pair between two namespaces. The two ends have different indexes: the kernel reports a port's carrier to its
 * bridge at once where they differ, and after up to 1 s where they happen to be equal (linkwatch_urgent_event in
 * net/core/link_watch.c).
 */
export function veth(near: End, far: End): string {
  const words = ({ where, device, index, mtu }: End): string => `${device} netns ${where} index ${index} mtu ${mtu}`
  return `link add ${words(near)} type veth peer name ${words(far)}`
}

/**
 * A fixed link-local address in place of the kernel's own. A forwarding node solicits its neighbours from it, and can't
 * during duplicate address detection: new pods were unreachable for 2 s.
 */
export function linkLocal(device: string, address: string): string[] {
  return [`link set ${device} addrgenmode none`, `addr add ${address}/64 dev ${device} nodad`]
}

/** Files that make a namespace forward, both families. */
export const forwardingFiles: readonly string[] = [
  '/proc/sys/net/ipv4/ip_forward',
  '/proc/sys/net/ipv6/conf/all/forwarding',
]
