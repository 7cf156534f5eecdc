/** Frames byte by byte: built for a test, and read again as the backend sees them. */
import type { Family } from '@expresslane/shared/base/units'
import { macs } from './path.ts'

function words(bytes: Buffer): number[] {
  const padded = bytes.length % 2 === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(1)])
  return Array.from({ length: padded.length / 2 }, (_, index) => padded.readUInt16BE(index * 2))
}

/** The Internet checksum (RFC 1071): 0 over bytes that hold a right one. */
function checksum(...parts: readonly Buffer[]): number {
  let sum = parts.flatMap(words).reduce((total, word) => total + word, 0)
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >>> 16)
  return ~sum & 0xffff
}

const macBytes = (mac: string): Buffer => Buffer.from(mac.replaceAll(':', ''), 'hex')

export function addressBytes(address: string): Buffer {
  if (!address.includes(':')) return Buffer.from(address.split('.').map(Number))
  const [head = '', tail = ''] = address.split('::')
  const groups = (text: string): string[] => (text === '' ? [] : text.split(':'))
  const missing = 8 - groups(head).length - groups(tail).length
  const all = [...groups(head), ...Array.from({ length: missing }, () => '0'), ...groups(tail)]
  return Buffer.from(all.map((group) => group.padStart(4, '0')).join(''), 'hex')
}

const protocolNumber = { tcp: 6, udp: 17, icmp: 1 } as const

export interface FrameOptions {
  readonly from: string
  readonly to: string
  readonly fromPort: number
  readonly toPort: number
  readonly protocol?: keyof typeof protocolNumber
  readonly payload?: Buffer
  readonly ttl?: number
  /** UDP without a checksum. */
  readonly unchecked?: boolean
  /** IPv4: fragment bits and offset. */
  readonly fragment?: number
  /** IPv4 options, or an IPv6 extension header (destination options) of 8 bytes. */
  readonly options?: boolean
  /** Instead of the right length. */
  readonly length?: number
}

function segment(protocol: keyof typeof protocolNumber, o: FrameOptions): { bytes: Buffer; checkAt: number } {
  const payload = o.payload ?? Buffer.from('nodeport')
  if (protocol === 'tcp') {
    const header = Buffer.alloc(24)
    header.writeUInt16BE(o.fromPort, 0)
    header.writeUInt16BE(o.toPort, 2)
    header.writeUInt32BE(1, 4)
    // Six words long with the option for the largest segment; SYN.
    header.set([6 << 4, 2, 0xff, 0xff], 12)
    header.set([2, 4, 5, 0xb4], 20)
    return { bytes: header, checkAt: 16 }
  }
  const header = Buffer.alloc(8)
  header.writeUInt16BE(o.fromPort, 0)
  header.writeUInt16BE(o.toPort, 2)
  header.writeUInt16BE(8 + payload.length, 4)
  return { bytes: Buffer.concat([header, payload]), checkAt: 6 }
}

function pseudo(from: Buffer, to: Buffer, protocol: number, length: number): Buffer {
  const end = Buffer.alloc(8)
  end.writeUInt32BE(length, 0)
  end.writeUInt32BE(protocol, 4)
  return Buffer.concat([from, to, end])
}

/** A frame from the client to the node, in hexadecimal digits. */
export function frame(o: FrameOptions): string {
  const protocol = o.protocol ?? 'udp'
  const number = protocolNumber[protocol]
  const [from, to] = [addressBytes(o.from), addressBytes(o.to)]
  const { bytes, checkAt } = segment(protocol, o)
  if (o.unchecked !== true) {
    const right = checksum(pseudo(from, to, number, bytes.length), bytes)
    bytes.writeUInt16BE(right === 0 ? 0xffff : right, checkAt)
  }
  const family: Family = from.length === 4 ? 'ipv4' : 'ipv6'
  const packet = family === 'ipv4' ? ipv4(from, to, number, bytes, o) : ipv6(from, to, number, bytes, o)
  const type = Buffer.from(family === 'ipv4' ? '0800' : '86dd', 'hex')
  return Buffer.concat([macBytes(macs.node), macBytes(macs.client), type, packet]).toString('hex')
}

function ipv4(from: Buffer, to: Buffer, protocol: number, content: Buffer, o: FrameOptions): Buffer {
  // Three times no operation, then the end of the options.
  const options = o.options === true ? Buffer.from([1, 1, 1, 0]) : Buffer.alloc(0)
  const header = Buffer.concat([Buffer.alloc(12), from, to, options])
  header[0] = (4 << 4) | (header.length / 4)
  header.writeUInt16BE(o.length ?? header.length + content.length, 2)
  header.writeUInt16BE(o.fragment ?? 0, 6)
  header.set([o.ttl ?? 64, protocol], 8)
  header.writeUInt16BE(checksum(header), 10)
  return Buffer.concat([header, content])
}

function ipv6(from: Buffer, to: Buffer, protocol: number, content: Buffer, o: FrameOptions): Buffer {
  // Destination options with six bytes of padding.
  const extension = o.options === true ? Buffer.from([protocol, 0, 1, 4, 0, 0, 0, 0]) : Buffer.alloc(0)
  const header = Buffer.concat([Buffer.alloc(8), from, to])
  header[0] = 6 << 4
  header.writeUInt16BE(o.length ?? extension.length + content.length, 4)
  header.set([o.options === true ? 60 : protocol, o.ttl ?? 64], 6)
  return Buffer.concat([header, extension, content])
}

export interface SeenFrame {
  readonly toMac: string
  readonly fromMac: string
  readonly from: Buffer
  readonly to: Buffer
  readonly ttl: number
  readonly fromPort: number
  readonly toPort: number
  /** As it is written; 0 is none. */
  readonly written: number
  /** Whether the checksums of IPv4 and of TCP or UDP are right. */
  readonly right: boolean
}

/** Reads a frame of TCP or UDP without options. */
export function readFrame(hex: string): SeenFrame {
  const bytes = Buffer.from(hex, 'hex')
  const isIpv4 = bytes.readUInt16BE(12) === 0x0800
  const ip = bytes.subarray(14)
  const header = isIpv4 ? 20 : 40
  const [from, to] = isIpv4 ? [ip.subarray(12, 16), ip.subarray(16, 20)] : [ip.subarray(8, 24), ip.subarray(24, 40)]
  const protocol = ip.readUInt8(isIpv4 ? 9 : 6)
  const length = isIpv4 ? ip.readUInt16BE(2) - header : ip.readUInt16BE(4)
  const l4 = ip.subarray(header, header + length)
  const written = l4.readUInt16BE(protocol === 6 ? 16 : 6)
  const ipRight = !isIpv4 || checksum(ip.subarray(0, header)) === 0
  return {
    toMac: bytes.toString('hex', 0, 6),
    fromMac: bytes.toString('hex', 6, 12),
    from,
    to,
    ttl: ip.readUInt8(isIpv4 ? 8 : 7),
    fromPort: l4.readUInt16BE(0),
    toPort: l4.readUInt16BE(2),
    written,
    right: ipRight && (written === 0 || checksum(pseudo(from, to, protocol, length), l4) === 0),
  }
}
