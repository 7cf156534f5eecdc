/** The names and addresses of the path: pod1 - node1 = tunnel = node2 - pod2. */
import { CLIENT, SERVER, type Role } from '../../testbed/placement.ts'
import { CLIENT_END, SERVER_END } from './about.ts'

/** The pods' own end of their device. */
export const POD_END = 'eth0'
/** The nodes' devices, which are the two ends of the wire. */
export const WIRE = 'eth0'
/** The nodes' tunnel device. */
export const TUNNEL = 'tunnel0'
/** As `wg` documents it. */
export const WIREGUARD_PORT = 51_820
/** The MTU of the pods. */
export const MTU = 1500
/** The MTU of the wire is larger than the tunnel's by this: room for the tunnel's headers. */
export const TUNNEL_ROOM = 100

interface HalfAddresses {
  readonly pod: string
  /** The node's, on its end of the pod's device. */
  readonly gateway: string
  readonly wire: string
  readonly tunnel: string
  /** The network of the pods on this node. */
  readonly pods: string
}

/** A pod and its node. */
export interface Half {
  readonly index: 1 | 2
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
  const ipv4 = {
    pod: `10.32.${n}.2`,
    gateway: `10.32.${n}.1`,
    wire: `172.30.32.1${n}`,
    tunnel: `172.30.33.1${n}`,
    pods: `10.32.${n}.0/24`,
  }
  const ipv6 = {
    pod: `fd00:32:${n}::2`,
    gateway: `fd00:32:${n}::1`,
    wire: `fd00:32::1${n}`,
    tunnel: `fd00:33::1${n}`,
    pods: `fd00:32:${n}::/64`,
  }
  return { index: n, role, nodeRole, pod: `pod${n}`, node: `node${n}`, lxc: `lxc${n}`, ipv4, ipv6 }
}

/** The client's half, then the server's. */
export const halves: readonly [Half, Half] = [half(CLIENT, CLIENT_END, 1), half(SERVER, SERVER_END, 2)]
/** In the order of the path. */
export const roles: readonly Role[] = [CLIENT, CLIENT_END, SERVER_END, SERVER]
