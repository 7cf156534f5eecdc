/** The places of the topology, a client and a server with the gateway between them, and the names of the gateway's hook readings. */
import { CLIENT, SERVER, type Role } from '../../testbed/placement.ts'

export const GATEWAY = 'gateway'

/** In the order of the path. */
export const roles: readonly Role[] = [CLIENT, GATEWAY, SERVER]

export const roleNames: Readonly<Record<Role, string>> = { [GATEWAY]: /*i18n*/ 'gateway' }

/** The BPF program at the translator's device. */
export const PROGRAM = 'translator-bpf'
/** tayga's device. */
export const TAYGA = 'translator-tayga'
/** The gateway's IP layer, which routes. */
export const ROUTING = 'gateway-routing'
/** Connections from client to server; it counts the families that are answered. */
export const CALLS = 'handshake'
