/** The names and addresses of the path: a client, two balancers and the backends, all on one switch. */
import { CLIENT, type Role } from '../../testbed/placement.ts'
import { BALANCER, backendRoles, STANDBY } from './roles.ts'

/** The address of the service. Of all places only a backend that replies directly has it, on its loopback device. */
export const SERVICE = '10.96.0.1'
/** Where the backends listen. */
export const PORT = 80
export const DEVICE = 'eth0'

export const SWITCH = 'switch'
/** Each place has an address, the switch, too. */
export const SWITCH_ADDRESS = '10.60.0.254'

interface Host {
  readonly role: Role
  readonly name: string
  readonly address: string
  /** Of its device: a captured packet shows who sent it. */
  readonly mac: string
}

/** @param last the last part of its addresses */
function host(role: Role, name: string, last: number): Host {
  return { role, name, address: `10.60.0.${last}`, mac: `02:00:00:00:60:${last.toString(16).padStart(2, '0')}` }
}

export const client = host(CLIENT, 'client', 1)
export const balancers: readonly Host[] = [host(BALANCER, BALANCER, 2), host(STANDBY, STANDBY, 3)]

export const backends: readonly Host[] = backendRoles.map((role, index) =>
  host(role, `backend${index + 1}`, index + 11),
)

/** All that is on the switch, in the order of the path. */
export const hosts: readonly Host[] = [client, ...balancers, ...backends]

export const roles: readonly Role[] = [...hosts.map(({ role }) => role), SWITCH]

/** The hook reading of the balancer's table. */
export const TABLE = 'balancing-table'
