/** How the kernel splits a message into packets under a send limit. */
import { bytes, type Bytes, type Family } from '../../base/units.ts'

/**
 * The payload that one packet can carry under a send limit: whole segments that fit into
 * `limit - 1 - MAX_TCP_HEADER` (sk_setup_caps and tcp_tso_autosize in net/ipv4). With 64 KiB and
 * MTU 1500 that is 45 segments: 65,160 bytes over IPv4, 64,260 over IPv6.
 */
export function packetPayload(limit: Bytes, mtu: Bytes, of: Family): Bytes {
  const maxTcpHeader = 320
  const ipHeader = of === 'ipv4' ? 20 : 40
  const tcpHeaderWithTimestamps = 32
  const segment = mtu - ipHeader - tcpHeaderWithTimestamps
  return bytes.parse(Math.max(1, Math.floor((limit - 1 - maxTcpHeader) / segment)) * segment)
}

/** The number of data packets for a message of `size` bytes. */
export function expectedPackets(size: Bytes, limit: Bytes, mtu: Bytes, of: Family): number {
  return Math.ceil(size / packetPayload(limit, mtu, of))
}
