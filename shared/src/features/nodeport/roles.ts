/** The places of the topology: a client, the node that forwards, and the backend behind it. */
import { CLIENT, type Role } from '../../testbed/placement.ts'

/** The node. Clients call its address and the NodePort. */
export const FORWARDER = 'forwarder'
export const BACKEND = 'backend'

/** In the order of the path. */
export const roles: readonly Role[] = [CLIENT, FORWARDER, BACKEND]

/** For people the place that forwards is the node. */
export const roleNames: Readonly<Record<Role, string>> = { [FORWARDER]: 'node' }

/** The NodePort of the measured service, over TCP and UDP. It is the last of the services. */
export const NODE_PORT = 30_080
