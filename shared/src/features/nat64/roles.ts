/** The places of the topology: a client and a server, and the gateway between them. */
import { CLIENT, SERVER, type Role } from '../../testbed/placement.ts'

export const GATEWAY = 'gateway'

/** In the order of the path. */
export const roles: readonly Role[] = [CLIENT, GATEWAY, SERVER]

export const roleNames: Readonly<Record<Role, string>> = { [GATEWAY]: 'gateway' }
