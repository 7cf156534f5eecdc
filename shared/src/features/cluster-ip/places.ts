/** The names and addresses of the path: a client, its node, and the backend of the service that it calls. */
import type { Family } from '../../base/units.ts'
import { CLIENT, SERVER, type Role } from '../../testbed/placement.ts'
import { SERVICE_NODE } from './about.ts'

/** In the order of the path. */
export const roles: readonly Role[] = [CLIENT, SERVICE_NODE, SERVER]

/** The cluster IP that is called. No device has it, except without a translation the backend's own loopback device. */
export const SERVICE: Readonly<Record<Family, string>> = { ipv4: '10.96.128.1', ipv6: 'fd00:10:96::8000' }

/** netperf's connections. The service has the same ports as the backend: netserver tells the client its own port. */
export const CONTROL_PORT = 12_865
export const DATA_PORT = 8_080

export interface End {
  readonly ipv4: string
  readonly ipv6: string
  readonly mac: string
}

/** @param side of the node @param host the last part: the node is 1, its neighbour 2 */
function end(side: 1 | 2, host: 1 | 2): End {
  return {
    ipv4: `10.244.${127 + side}.${host}`,
    ipv6: `fd00:10:244::${side}:${host}`,
    mac: `02:00:00:96:0${side}:0${host}`,
  }
}

/** The two pairs of devices. Their addresses are in the network of the pods, so that no rule replaces a source. */
export const clientLink = { node: end(1, 1), pod: end(1, 2) } as const
export const serverLink = { node: end(2, 1), pod: end(2, 2) } as const
