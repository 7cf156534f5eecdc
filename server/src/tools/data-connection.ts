/** From frames on a device to the packets of the last request and its response. */
import type { CapturedPacket } from '@expresslane/shared/measure/capture'
import { decodeIpPacket, type IpPacket } from '@expresslane/shared/measure/packet'
import { bytes, microseconds } from '@expresslane/shared/base/units'
import type { CapturedFrame } from './tcpdump.ts'

const ETHERNET_HEADER = 14
const VLAN_TAG = 4
const ETHERTYPE_VLAN = 0x8100
/** A TCP sequence number has 32 bits and begins anywhere. */
const SEQUENCES = 2 ** 32

type Direction = CapturedPacket['direction']

interface Seen {
  readonly at: number
  readonly direction: Direction
  readonly ip: IpPacket
  /** From the IP header on. */
  readonly length: number
  readonly payload: number
  /** A retransmission: all of its payload was seen before. */
  readonly again: boolean
  /** Payload bytes that this side had sent before it. */
  readonly offset: number
  readonly head: Uint8Array
}

/** An address in the canonical form of URLs. */
function canonical(address: string): string {
  return address.includes(':') ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address
}

/** Where the IP header begins. @param frame with its Ethernet header */
export function networkAt(frame: Uint8Array): number {
  const tagged = frame[12] === ETHERTYPE_VLAN >> 8 && frame[13] === (ETHERTYPE_VLAN & 0xff)
  return ETHERNET_HEADER + (tagged ? VLAN_TAG : 0)
}

export interface DataConnection {
  add(frame: CapturedFrame): void
  /** Both sides have closed it. */
  ended(): boolean
  /** The packets from the start of the last request to the end of its response; empty if nothing was seen. */
  lastExchange(requestBytes: number): CapturedPacket[]
}

/** Follows the only TCP connection to the server on an Ethernet device. */
export function followDataConnection(serverAddress: string): DataConnection {
  const server = canonical(serverAddress)
  const seen: Seen[] = []
  /** The sequence number of each side's first payload byte. */
  const first: Partial<Record<Direction, number>> = {}
  /** Payload bytes of each side that were seen. */
  const sent: Record<Direction, number> = { request: 0, response: 0 }
  const closed = new Set<Direction>()

  function add({ at, length, bytes: frame }: CapturedFrame): void {
    const start = networkAt(frame)
    const head = frame.subarray(start)
    const ip = decodeIpPacket(head)
    if (ip === null) return
    const direction: Direction = ip.destination === server ? 'request' : 'response'
    if (ip.flags.includes('S')) first[direction] = ip.sequence + 1
    if (ip.flags.includes('F') || ip.flags.includes('R')) closed.add(direction)
    if (ip.flags.includes('R')) closed.add(direction === 'request' ? 'response' : 'request')
    // A short packet is padded on a real wire; one too long for its length field has the kernel's length.
    const whole = ip.lengthField === 0 ? length - start : (ip.statedLength ?? length - start)
    const payload = whole - ip.headerBytes
    const offset = (ip.sequence - (first[direction] ?? ip.sequence) + SEQUENCES) % SEQUENCES
    const again = payload > 0 && offset + payload <= sent[direction]
    // A SYN precedes the first payload byte.
    if (payload > 0) sent[direction] = Math.max(sent[direction], offset + payload)
    seen.push({ at, direction, ip, length: whole, payload, again, offset, head })
  }

  return {
    add,
    ended: () => closed.size === 2,
    lastExchange(requestBytes) {
      const begin = seen.findIndex(
        ({ direction, payload, offset }) =>
          direction === 'request' && payload > 0 && offset + payload > sent.request - requestBytes,
      )
      if (begin === -1) return []
      const end = seen.findIndex(({ ip }, index) => index > begin && /[FR]/.test(ip.flags))
      const exchange = seen.slice(begin, end === -1 ? undefined : end)
      const from = exchange[0]?.at ?? 0
      return exchange.map(({ at, direction, ip, length, payload, again, head }) => ({
        at: microseconds.parse(Math.max(0, at - from)),
        direction,
        length: bytes.parse(length),
        payload: bytes.parse(payload),
        again,
        flags: `[${ip.flags}]`,
        lengthField: ip.lengthField,
        jumbo: ip.jumbo === null ? null : bytes.parse(ip.jumbo.jumbo),
        head: Buffer.from(head).toString('hex'),
      }))
    },
  }
}
