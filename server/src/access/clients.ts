/** The address of a client: one spelling to show, to log and to count by. */
import { formatIpv6Bytes, parseIpv6 } from '@expresslane/shared/measure/ip/addresses'
import { extractIpv4, type Ipv6Prefix } from '@expresslane/shared/measure/ip/embedded'

/** RFC 4291, 2.5.5.2: how a socket for both families names an IPv4 client. */
const MAPPED: Ipv6Prefix = { bytes: Uint8Array.from([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 0, 0, 0, 0]), length: 96 }
const NETWORK_BYTES = 8

/** `::ffff:192.0.2.1` is `192.0.2.1`; an IPv6 address is written as RFC 5952 has it, without the zone. */
export function clientAddress(ip: string): string {
  const [address = ''] = ip.split('%')
  const bytes = parseIpv6(address)
  return bytes === null ? address : (extractIpv4(MAPPED, address) ?? formatIpv6Bytes(bytes))
}

/** Addresses of this machine, and link-local addresses (RFC 4291, 2.5.6): many machines share that network. */
function standsAlone(address: string, [first = 0, second = 0]: Uint8Array): boolean {
  return address === '::1' || (first === 0xfe && (second & 0xc0) === 0x80)
}

/**
 * The network that a client counts as: its address; for IPv6 its network of 64 bits, in which one machine can have any address.
 *
 * @example clientNetwork('2001:db8::7') // 2001:db8::/64
 */
export function clientNetwork(ip: string): string {
  const address = clientAddress(ip)
  const bytes = parseIpv6(address)
  if (bytes === null || standsAlone(address, bytes)) return address
  return `${formatIpv6Bytes(Uint8Array.from(bytes, (byte, index) => (index < NETWORK_BYTES ? byte : 0)))}/64`
}
