/** The places of the topology, a client and a server each in a pod on a node of its own, and the names of the nodes' hook readings. */
import { CLIENT, SERVER, type Role } from '../../testbed/placement.ts'

export const CLIENT_NODE = 'client-node'
export const SERVER_NODE = 'server-node'

/** In the order of the path. */
export const roles: readonly Role[] = [CLIENT, CLIENT_NODE, SERVER_NODE, SERVER]

export const roleNames: Readonly<Record<Role, string>> = {
  [CLIENT_NODE]: /*i18n*/ 'the client’s node',
  [SERVER_NODE]: /*i18n*/ 'the server’s node',
}

/** The BPF programs at the pod's device and at the wire. */
export const PROGRAMS = 'bpf'
/** The node's IP layer, which forwards. */
export const FORWARDING = 'ip-forward'
/** The rule in the forward hook that looks up connections. */
export const TRACKER = 'conntrack'
/** Pings from the client to the server; it counts the families that answer. */
export const PINGS = 'ping'
