/** The names and addresses of the path: pod1 - node1 - node2 - pod2. */
import { CLIENT, SERVER, type Role } from '../../testbed/placement.ts'
import { CLIENT_NODE, SERVER_NODE } from './roles.ts'

/** The MTU of all devices. */
export const MTU = 1500
/** The nodes' devices, which are the two ends of the wire. */
export const WIRE = 'eth0'
/** The pods' own end of their device. */
export const POD_END = 'eth0'

/** The addresses of a pod and its node in one family. */
export interface HalfAddresses {
  readonly pod: string
  /** The node's, on its end of the pod's device. */
  readonly gateway: string
  /** The node's on the wire. */
  readonly node: string
  /** The network of the pods on this node. */
  readonly pods: string
}

/** A pod and its node. */
export interface Half {
  readonly role: Role
  readonly nodeRole: Role
  readonly pod: string
  readonly node: string
  /** The node's end of the pod's device, named as by Cilium. */
  readonly lxc: string
  readonly ipv4: HalfAddresses
  readonly ipv6: HalfAddresses
}

function half(role: Role, nodeRole: Role, n: 1 | 2): Half {
  return {
    role,
    nodeRole,
    pod: `pod${n}`,
    node: `node${n}`,
    lxc: `lxc${n}`,
    ipv4: { pod: `10.30.${n}.2`, gateway: `10.30.${n}.1`, node: `172.30.0.1${n}`, pods: `10.30.${n}.0/24` },
    ipv6: { pod: `fd00:30:${n}::2`, gateway: `fd00:30:${n}::1`, node: `fd00:3::1${n}`, pods: `fd00:30:${n}::/64` },
  }
}

/** The lengths of the prefixes that hold all pods, for pods that are both on the wire: no route lies between them. */
export const allPods = { ipv4: 16, ipv6: 32 } as const

/** The client's half, then the server's. */
export const halves: readonly [Half, Half] = [half(CLIENT, CLIENT_NODE, 1), half(SERVER, SERVER_NODE, 2)]
