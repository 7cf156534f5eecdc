/** IP addresses as bytes, and as text. Pure. */
import { formatIpv6 } from '../../measure/packet.ts'

/** @returns the 4 bytes; null if the text is no IPv4 address */
export function parseIpv4(text: string): Uint8Array | null {
  const parts = text.split('.')
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255)) return null
  return Uint8Array.from(parts, Number)
}

export const formatIpv4 = (bytes: Uint8Array): string => bytes.join('.')

/** 16-bit groups of one side of `::`; the last group can be an IPv4 address. */
function groupsOf(text: string, last: boolean): number[] | null {
  if (text === '') return []
  const parts = text.split(':')
  const groups: number[] = []
  for (const [index, part] of parts.entries()) {
    if (/^[0-9a-f]{1,4}$/i.test(part)) {
      groups.push(Number.parseInt(part, 16))
      continue
    }
    const ipv4 = last && index === parts.length - 1 ? parseIpv4(part) : null
    if (ipv4 === null) return null
    const [a = 0, b = 0, c = 0, d = 0] = ipv4
    groups.push(a * 256 + b, c * 256 + d)
  }
  return groups
}

/** @returns the 16 bytes; null if the text is no IPv6 address (RFC 4291, 2.2) */
export function parseIpv6(text: string): Uint8Array | null {
  const [head = '', tail, more] = text.split('::')
  if (more !== undefined) return null
  const before = groupsOf(head, tail === undefined)
  const after = tail === undefined ? [] : groupsOf(tail, true)
  if (before === null || after === null) return null
  const zeros = 8 - before.length - after.length
  if (tail === undefined ? zeros !== 0 : zeros < 1) return null
  const groups = [...before, ...Array.from({ length: zeros }, () => 0), ...after]
  return Uint8Array.from(groups.flatMap((group) => [group >> 8, group & 0xff]))
}

/** The text of an IPv6 address as RFC 5952 has it. @param bytes 16 */
export function formatIpv6Bytes(bytes: Uint8Array): string {
  return formatIpv6(
    Array.from({ length: 8 }, (_, index) => (bytes[2 * index] ?? 0) * 256 + (bytes[2 * index + 1] ?? 0)),
  )
}
