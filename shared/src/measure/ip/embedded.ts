/**
 * IPv4 addresses inside IPv6 addresses (RFC 6052, 2.2): a translator's prefix, then the 32 bits, which leave out bits 64 to
 * 71, then zeros. Pure.
 */
import { formatIpv4, formatIpv6Bytes, parseIpv4, parseIpv6 } from './addresses.ts'

/** The lengths that a translator's prefix can have, in bits. */
export const prefixLengths = [32, 40, 48, 56, 64, 96] as const
export type PrefixLength = (typeof prefixLengths)[number]

export interface Ipv6Prefix {
  /** 16 bytes; the bytes behind the length are 0. */
  readonly bytes: Uint8Array
  readonly length: PrefixLength
}

/** The origin of a byte of an IPv6 address: the prefix, the IPv4 address, or 0 by the rule. */
export type PartKind = 'prefix' | 'ipv4' | 'zero'

/** The octet that stays 0 in all lengths: bits 64 to 71. */
const RESERVED_BYTE = 8
const IPV6_BYTES = 16

/** The four bytes of an IPv6 address that carry the IPv4 address, in its order. */
export function embeddedBytes(length: PrefixLength): readonly number[] {
  const behind = Array.from({ length: IPV6_BYTES }, (_, byte) => byte).slice(length / 8)
  return (length === 96 ? behind : behind.filter((byte) => byte !== RESERVED_BYTE)).slice(0, 4)
}

/** Reads `64:ff9b::/96`. @returns null if it is no prefix, has another length, or bits behind its length or in bits 64 to 71 */
export function parsePrefix(text: string): Ipv6Prefix | null {
  const [address = '', size, more] = text.split('/')
  const bytes = parseIpv6(address)
  const length = prefixLengths.find((one) => String(one) === size)
  if (bytes === null || length === undefined || more !== undefined) return null
  const isRight = bytes.every((byte, index) => byte === 0 || (index < length / 8 && index !== RESERVED_BYTE))
  return isRight ? { bytes, length } : null
}

/** The IPv6 address that stands for an IPv4 address. @returns null if the text is no IPv4 address */
export function embedIpv4({ bytes, length }: Ipv6Prefix, ipv4: string): string | null {
  const octets = parseIpv4(ipv4)
  if (octets === null) return null
  const whole = Uint8Array.from(bytes)
  for (const [index, byte] of embeddedBytes(length).entries()) whole[byte] = octets[index] ?? 0
  return formatIpv6Bytes(whole)
}

/** The IPv4 address inside an IPv6 address. @returns null if that is not in the prefix, or no IPv6 address */
export function extractIpv4(prefix: Ipv6Prefix, ipv6: string): string | null {
  const bytes = parseIpv6(ipv6)
  if (bytes === null || !prefix.bytes.slice(0, prefix.length / 8).every((byte, index) => byte === bytes[index]))
    return null
  return formatIpv4(Uint8Array.from(embeddedBytes(prefix.length), (byte) => bytes[byte] ?? 0))
}

/** A byte of an IPv6 address. */
export interface AddressByte {
  readonly kind: PartKind
  /** 0 to 255. */
  readonly value: number
}

/** The bytes of an IPv6 address, each with its origin. @returns null if the text is no IPv6 address */
export function addressBytes(ipv6: string, length: PrefixLength): readonly AddressByte[] | null {
  const bytes = parseIpv6(ipv6)
  if (bytes === null) return null
  const carriers = new Set(embeddedBytes(length))
  return Array.from(bytes, (value, index) => {
    const isReserved = index === RESERVED_BYTE && length !== 96
    return { kind: carriers.has(index) ? 'ipv4' : index < length / 8 && !isReserved ? 'prefix' : 'zero', value }
  })
}

/** A byte as two digits. @param value 0 to 255 */
export function hexByte(value: number): string {
  return value.toString(16).padStart(2, '0')
}

/** A piece of an address's text, to be coloured. */
export interface AddressPart {
  readonly kind: PartKind
  /** With the colons inside and behind it. */
  readonly text: string
}

/**
 * An IPv6 address written out in full, `fd64:ff9b:0000:...`, in pieces of a common origin; together the pieces are the
 * whole address.
 *
 * @returns null if the text is no IPv6 address
 */
export function addressParts(ipv6: string, length: PrefixLength): readonly AddressPart[] | null {
  const bytes = addressBytes(ipv6, length)
  if (bytes === null) return null
  const parts: { kind: PartKind; text: string }[] = []
  for (const [index, { kind, value }] of bytes.entries()) {
    const colon = index % 2 === 1 && index < IPV6_BYTES - 1 ? ':' : ''
    const text = `${hexByte(value)}${colon}`
    const last = parts.at(-1)
    if (last?.kind === kind) last.text += text
    else parts.push({ kind, text })
  }
  return parts
}
