/**
 * The kernel's TCP counters of a pod, and the number of packets per request.
 * A device counts data packets and bare acknowledgements together: about 3 packets per request without BIG TCP and 2
 * with it (measured). The pods' TCP counters separate the two.
 */
import { LabError } from '@expresslane/shared/base/errors'
import type { Counters } from '@expresslane/shared/testbed/reading'

/** Prints the files that {@link parseTcpCounters} reads. */
export const tcpCountersArgv: readonly string[] = ['cat', '/proc/net/snmp', '/proc/net/netstat']

/** Segments since the namespace was created, of both families. */
export interface TcpCounters {
  /**
   * Sent segments without retransmissions (RFC 1213's tcpOutSegs). A GSO packet counts as the number of its segments.
   */
  readonly outSegs: number
  /** Segments sent with data for the first time (TCPOrigDataSent). */
  readonly origDataSent: number
}

function valueOf(lines: readonly string[], group: string, name: string): number {
  const rows = lines.filter((line) => line.startsWith(`${group}: `)).map((line) => line.trim().split(/\s+/))
  const column = rows[0]?.indexOf(name) ?? -1
  const value = rows[1]?.[column]
  if (column > 0 && value !== undefined && /^\d+$/.test(value)) return Number(value)
  throw new LabError(
    'tool_output_unreadable',
    `The kernel's TCP counters have no ${group} ${name}.`,
    'Packets per request need /proc/net/snmp and /proc/net/netstat of a Linux kernel 3.13 or newer.',
    { detail: lines.slice(0, 20).join('\n') },
  )
}

/** @throws LabError `tool_output_unreadable` when a counter is missing */
export function parseTcpCounters(text: string): TcpCounters {
  const lines = text.split('\n')
  return {
    outSegs: valueOf(lines, 'Tcp', 'OutSegs'),
    origDataSent: valueOf(lines, 'TcpExt', 'TCPOrigDataSent'),
  }
}

export interface PodCounters {
  /** Counters of the pod's eth0. */
  readonly device: Counters
  readonly tcp: TcpCounters
}

/** Both pods' counters at one moment. */
export interface PairCounters {
  readonly client: PodCounters
  readonly server: PodCounters
}

/** Acknowledgements without data that a pod sent: new segments minus segments with data. */
function bareAcks(before: PodCounters, after: PodCounters): number {
  return after.tcp.outSegs - before.tcp.outSegs - (after.tcp.origDataSent - before.tcp.origDataSent)
}

/**
 * Packets of one transaction at a pod's device. Only data packets: the kernel also sends about one bare acknowledgement
 * per request, which `acks` counts separately.
 */
export interface PacketRate {
  /** Data packets of a request, from client to server. */
  readonly perRequest: number
  /** Data packets of a response, from server to client. */
  readonly perResponse: number
  /** Bare acknowledgements per transaction, in both directions. */
  readonly acks: number
}

/**
 * Data packets per request and per response, including retransmissions: packets that arrived at a pod's device, minus
 * the bare acknowledgements that the other pod sent, divided by the transactions.
 *
 * @returns null without transactions, or if the counters do not belong together (new pods)
 */
export function packetRate(before: PairCounters, after: PairCounters, transactions: number): PacketRate | null {
  const fromClient = bareAcks(before.client, after.client)
  const fromServer = bareAcks(before.server, after.server)
  const requests = after.server.device.rxPackets - before.server.device.rxPackets - fromClient
  const responses = after.client.device.rxPackets - before.client.device.rxPackets - fromServer
  if (transactions <= 0 || Math.min(fromClient, fromServer, requests, responses) < 0) return null
  return {
    perRequest: requests / transactions,
    perResponse: responses / transactions,
    acks: (fromClient + fromServer) / transactions,
  }
}

/**
 * The average payload of a data packet of a stream, in bytes, when it arrived at the server's device.
 *
 * @param payload bytes of the whole stream
 * @returns null if no data packet arrived, or if the counters do not belong together (new pods)
 */
export function payloadPerPacket(before: PairCounters, after: PairCounters, payload: number): number | null {
  const acks = bareAcks(before.client, after.client)
  const packets = after.server.device.rxPackets - before.server.device.rxPackets - acks
  return acks < 0 || packets <= 0 ? null : payload / packets
}
