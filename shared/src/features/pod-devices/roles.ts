/** The places of the topology: a client and a server, each in a pod on a node of its own. */
import { CLIENT, SERVER, type Role } from '../../testbed/placement.ts'

export const CLIENT_NODE = 'client-node'
export const SERVER_NODE = 'server-node'

/** In the order of the path. */
export const roles: readonly Role[] = [CLIENT, CLIENT_NODE, SERVER_NODE, SERVER]

export const roleNames: Readonly<Record<Role, string>> = {
  [CLIENT_NODE]: 'the client’s node',
  [SERVER_NODE]: 'the server’s node',
}
