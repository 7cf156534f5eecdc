/** The names and addresses of the path: a client, two balancers and the backends, all on one switch. */
import { CLIENT, SERVER, type Role } from '../../testbed/placement.ts'

/** The address of the service. Of all places only a backend that replies directly has it, on its loopback device. */
export const SERVICE = '10.96.0.1'
/** Where the backends listen. */
export const PORT = 80
export const DEVICE = 'eth0'

export const SWITCH = 'switch'
/** Each place has an address, the switch, too. */
export const SWITCH_ADDRESS = '10.60.0.254'
export const BALANCER = 'balancer'
/** The balancer that takes over. It has the same rules and none of the connections. */
export const STANDBY = 'standby'

/** The backends of the path: the usual ones, and another that joins. */
export const MOST_BACKENDS = 6
export const USUAL_BACKENDS = 5

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

/** The first backend is the server that tools call. */
export const backends: readonly Host[] = Array.from({ length: MOST_BACKENDS }, (_, index) =>
  host(index === 0 ? SERVER : `backend-${index + 1}`, `backend${index + 1}`, index + 11),
)

/** All that is on the switch, in the order of the path. */
export const hosts: readonly Host[] = [client, ...balancers, ...backends]

export const roles: readonly Role[] = [...hosts.map(({ role }) => role), SWITCH]

export const roleNames: Readonly<Record<Role, string>> = {
  [STANDBY]: 'the balancer that takes over',
  ...Object.fromEntries(backends.slice(1).map(({ role, name }) => [role, name])),
}

/** The hook reading of the balancer's table. */
export const TABLE = 'balancing-table'
