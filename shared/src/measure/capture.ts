/** Packets that were captured on a device, decoded. */
import { z } from 'zod'
import { bytes, family, microseconds } from '../base/units.ts'

export const capturedPacket = z.strictObject({
  /** Microseconds since the first packet of the capture. */
  at: microseconds,
  direction: z.enum(['request', 'response']),
  /** From the IP header to the end of the packet, as the kernel carried it. */
  length: bytes,
  /** TCP payload; 0 for a bare acknowledgement. */
  payload: bytes,
  /** A retransmission, or a probe that repeats old data. */
  again: z.boolean().default(false),
  /** Flags in tcpdump's letters, such as `P.`. */
  flags: z.string(),
  /**
   * The header's own length field as captured: `tot_len` over IPv4, the payload length over IPv6. 0 on a BIG TCP
   * packet, whose length does not fit.
   */
  lengthField: z.number().int().min(0).max(65_535),
  /** The jumbo payload length of the hop-by-hop header (RFC 2675, over IPv6); null where there is none. */
  jumbo: bytes.nullable(),
  /** The first bytes of the packet, from the IP header on, in hex. */
  head: z
    .string()
    .regex(/^([0-9a-f]{2})*$/)
    .max(256),
})
export type CapturedPacket = z.infer<typeof capturedPacket>

/** The packets that passed a device while one request was answered. */
export const capture = z.strictObject({
  /** The id of the arm, `off` or `on`. */
  arm: z.string(),
  family,
  node: z.string(),
  device: z.string(),
  requestBytes: bytes,
  responseBytes: bytes,
  /** The packets of the benchmark's data connection, in order. */
  packets: z.array(capturedPacket).max(2_000),
})
export type Capture = z.infer<typeof capture>

/** The packets of a message, in order: the packets with payload, without retransmissions. */
export function messagePackets({ packets }: Capture, direction: CapturedPacket['direction']): CapturedPacket[] {
  return packets.filter((one) => one.direction === direction && one.payload > 0 && !one.again)
}
