/** Decodes the first bytes of an IP packet that carries TCP. Pure. */

/** RFC 2675: the option with a length beyond 16 bits. */
const JUMBO_OPTION = 0xc2
const PAD1_OPTION = 0
const HOP_BY_HOP = 0
const TCP = 6
const IPV6_HEADER = 40

/** TCP's flags by bit, in tcpdump's letters and order. */
const flagLetters = [
  [0x02, 'S'],
  [0x01, 'F'],
  [0x04, 'R'],
  [0x08, 'P'],
  [0x10, '.'],
  [0x20, 'U'],
] as const

/** The IPv6 hop-by-hop header of a BIG TCP packet (RFC 8200, RFC 2675). */
export interface JumboHeader {
  /** Position of the header in bytes, from the start of the IP header. */
  readonly at: number
  readonly nextHeader: number
  /** The length of this header in bytes: 8. */
  readonly headerBytes: number
  readonly optionType: number
  readonly optionBytes: number
  /** Bytes after the IPv6 header, this header included. */
  readonly jumbo: number
}

export interface IpPacket {
  readonly version: 4 | 6
  readonly source: string
  readonly destination: string
  /** IPv4's `tot_len`, or IPv6's payload length; 0 if the length does not fit into 16 bits. */
  readonly lengthField: number
  /** The length of the packet by its headers, including the IP header; null if they only contain 0. */
  readonly statedLength: number | null
  readonly hopLimit: number
  /** IPv4's `protocol`, or IPv6's `next header`. */
  readonly nextHeader: number
  readonly jumbo: JumboHeader | null
  readonly sourcePort: number
  readonly destinationPort: number
  readonly sequence: number
  readonly acknowledgement: number
  /** In tcpdump's letters: `P.`, `S`, `F.`. */
  readonly flags: string
  /** The length of all headers, which is the start of the payload. */
  readonly headerBytes: number
}

/** @returns null if the text is not whole bytes in hex */
export function bytesOfHex(hex: string): Uint8Array | null {
  if (hex.length % 2 === 1 || !/^[0-9a-f]*$/i.test(hex)) return null
  return Uint8Array.from({ length: hex.length / 2 }, (_, index) =>
    Number.parseInt(hex.slice(index * 2, index * 2 + 2), 16),
  )
}

/** The text of an IPv6 address, without its longest run of zeros (RFC 5952). */
export function formatIpv6(groups: readonly number[]): string {
  let best = { from: -1, length: 1 }
  for (let from = 0; from < groups.length; from += 1) {
    let length = 0
    while (groups[from + length] === 0) length += 1
    if (length > best.length) best = { from, length }
  }
  const words = groups.map((group) => group.toString(16))
  if (best.from === -1) return words.join(':')
  return `${words.slice(0, best.from).join(':')}::${words.slice(best.from + best.length).join(':')}`
}

/** The jumbo option in a hop-by-hop header at position `at`; null if there is none. */
function findJumbo(view: DataView, at: number): JumboHeader | null {
  const headerBytes = (view.getUint8(at + 1) + 1) * 8
  for (let option = at + 2; option + 2 <= at + headerBytes;) {
    const type = view.getUint8(option)
    if (type === PAD1_OPTION) {
      option += 1
      continue
    }
    const length = view.getUint8(option + 1)
    if (type === JUMBO_OPTION && length === 4) {
      const jumbo = view.getUint32(option + 2)
      return { at, nextHeader: view.getUint8(at), headerBytes, optionType: type, optionBytes: length, jumbo }
    }
    option += 2 + length
  }
  return null
}

type Network = Pick<
  IpPacket,
  'version' | 'source' | 'destination' | 'lengthField' | 'statedLength' | 'hopLimit' | 'nextHeader' | 'jumbo'
> & {
  /** The position of the TCP header; null if another protocol follows. */
  readonly tcpAt: number | null
}

function ipv4(view: DataView): Network {
  const address = (at: number): string => Array.from({ length: 4 }, (_, index) => view.getUint8(at + index)).join('.')
  const lengthField = view.getUint16(2)
  return {
    version: 4,
    source: address(12),
    destination: address(16),
    lengthField,
    statedLength: lengthField === 0 ? null : lengthField,
    hopLimit: view.getUint8(8),
    nextHeader: view.getUint8(9),
    jumbo: null,
    tcpAt: view.getUint8(9) === TCP ? (view.getUint8(0) & 0x0f) * 4 : null,
  }
}

function ipv6(view: DataView): Network {
  const address = (at: number): string =>
    formatIpv6(Array.from({ length: 8 }, (_, index) => view.getUint16(at + index * 2)))
  const lengthField = view.getUint16(4)
  const nextHeader = view.getUint8(6)
  const options = nextHeader === HOP_BY_HOP
  const jumbo = options ? findJumbo(view, IPV6_HEADER) : null
  const stated = lengthField === 0 ? (jumbo?.jumbo ?? null) : lengthField
  const carried = options ? view.getUint8(IPV6_HEADER) : nextHeader
  const tcpAt = options ? IPV6_HEADER + (view.getUint8(IPV6_HEADER + 1) + 1) * 8 : IPV6_HEADER
  return {
    version: 6,
    source: address(8),
    destination: address(24),
    lengthField,
    statedLength: stated === null ? null : IPV6_HEADER + stated,
    hopLimit: view.getUint8(7),
    nextHeader,
    jumbo,
    tcpAt: carried === TCP ? tcpAt : null,
  }
}

/**
 * Decodes IP and TCP headers.
 *
 * @param head the packet's first bytes, from the IP header on
 * @returns null if it is not TCP over IP, or cut off before the end of the TCP header
 */
export function decodeIpPacket(head: Uint8Array): IpPacket | null {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength)
  try {
    const version = view.getUint8(0) >> 4
    if (version !== 4 && version !== 6) return null
    const { tcpAt, ...network } = version === 4 ? ipv4(view) : ipv6(view)
    if (tcpAt === null) return null
    const bits = view.getUint8(tcpAt + 13)
    return {
      ...network,
      sourcePort: view.getUint16(tcpAt),
      destinationPort: view.getUint16(tcpAt + 2),
      sequence: view.getUint32(tcpAt + 4),
      acknowledgement: view.getUint32(tcpAt + 8),
      flags: flagLetters.flatMap(([bit, letter]) => ((bits & bit) === 0 ? [] : [letter])).join(''),
      headerBytes: tcpAt + (view.getUint8(tcpAt + 12) >> 4) * 4,
    }
  } catch (error) {
    // The capture ends before this field.
    if (error instanceof RangeError) return null
    throw error
  }
}
