/**
 * The names and addresses of the path: client - gateway - server. Each end has one address of each family, and no route
 * to the other end's: it calls an address that stands for the other end.
 */
import type { Family } from '../../base/units.ts'

/** The MTU of all wires. */
export const MTU = 1500
/** The IPv4 side's MTU towards the translator: an IPv6 header is 20 bytes longer, and the kernel answers for it. */
export const TRANSLATED_MTU = MTU - 20

/** The devices of the wires: each end has one, the gateway one for each end. */
export const END_DEVICE = 'eth0'
/** The device to which the gateway routes packets to translate. */
export const TRANSLATOR_DEVICE = 'nat64'

/** Every IPv4 address is inside it (RFC 6052). tayga refuses private addresses in the well-known `64:ff9b::/96`. */
export const PREFIX = 'fd64:ff9b::/96'
/** IPv4 addresses that stand for something of IPv6. */
export const POOL = '10.99.0.0/24'
/** The sender of errors from routers without an IPv4 address (RFC 6791). */
export const GATEWAY4 = '10.99.0.254'
/** Behind it are all IPv6 clients of the stateful translator. */
export const MASQUERADE4 = '10.99.0.1'
/** Behind it are all IPv4 clients of the stateful translator's services. */
export const MASQUERADE6 = 'fd46:64::9'
/** tayga's own address. */
export const TAYGA6 = 'fd46:64::1'
/** The network of both. */
export const GATEWAY_NETWORK6 = 'fd46:64::/64'

/** An end of the path. */
export interface End {
  readonly name: string
  /** The gateway's device towards it. */
  readonly gatewayDevice: string
  /** Its own addresses. */
  readonly own: Readonly<Record<Family, string>>
  readonly networks: Readonly<Record<Family, string>>
  /** The gateway's addresses on its wire. */
  readonly gateway: Readonly<Record<Family, string>>
  /** The address in a family that stands for the end's own address in the other family. */
  readonly standIn: Readonly<Record<Family, string>>
}

export const client: End = {
  name: 'client',
  gatewayDevice: 'eth0',
  own: { ipv4: '10.46.1.2', ipv6: 'fd46:1::2' },
  networks: { ipv4: '10.46.1.0/24', ipv6: 'fd46:1::/64' },
  gateway: { ipv4: '10.46.1.1', ipv6: 'fd46:1::1' },
  standIn: { ipv4: '10.99.0.2', ipv6: 'fd64:ff9b::a2e:102' },
}

export const server: End = {
  name: 'server',
  gatewayDevice: 'eth1',
  own: { ipv4: '10.46.2.2', ipv6: 'fd46:2::2' },
  networks: { ipv4: '10.46.2.0/24', ipv6: 'fd46:2::/64' },
  gateway: { ipv4: '10.46.2.1', ipv6: 'fd46:2::1' },
  standIn: { ipv4: '10.99.0.3', ipv6: 'fd64:ff9b::a2e:202' },
}

/** The client's, then the server's. */
export const ends: readonly [End, End] = [client, server]

/**
 * An address as it is given to tools. netperf asks its server for a data socket of the family that it calls itself, and
 * an IPv6 server can't take the client's connection to an IPv4 socket. So tools call IPv4 through an IPv6 socket: the
 * same IPv4 packets.
 */
export function calledAs(address: string, of: Family): string {
  return of === 'ipv4' ? `::ffff:${address}` : address
}
