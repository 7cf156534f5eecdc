/** The places of the topology: a client and a server, each in a pod on a node of its own. All limits are on the client's side. */
import { CLIENT, SERVER, type Role } from '../../testbed/placement.ts'

export const NEAR_NODE = 'near-node'
export const FAR_NODE = 'far-node'

/** In the order of the path. */
export const roles: readonly Role[] = [CLIENT, NEAR_NODE, FAR_NODE, SERVER]

export const roleNames: Readonly<Record<Role, string>> = {
  [NEAR_NODE]: /*i18n*/ 'the client’s node',
  [FAR_NODE]: /*i18n*/ 'the server’s node',
}
