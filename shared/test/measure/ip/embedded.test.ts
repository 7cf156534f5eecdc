import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addressParts,
  embeddedBytes,
  embedIpv4,
  extractIpv4,
  parsePrefix,
  prefixLengths,
  type Ipv6Prefix,
} from '../../../src/measure/ip/embedded.ts'
import { formatIpv6Bytes, parseIpv4, parseIpv6 } from '../../../src/measure/ip/addresses.ts'

const ipv4 = fc.ipV4()
const ipv6Bytes = fc.uint8Array({ minLength: 16, maxLength: 16 })

/** Any prefix that RFC 6052 allows. */
const prefixes = fc.tuple(fc.constantFrom(...prefixLengths), ipv6Bytes).map(([length, bytes]): Ipv6Prefix => ({
  length,
  bytes: bytes.map((byte, index) => (index < length / 8 && index !== 8 ? byte : 0)),
}))

/** RFC 6052, 2.4: 192.0.2.33 in prefixes of all lengths. */
const examples = [
  ['2001:db8::/32', '2001:db8:c000:221::'],
  ['2001:db8:100::/40', '2001:db8:1c0:2:21::'],
  ['2001:db8:122::/48', '2001:db8:122:c000:2:2100::'],
  ['2001:db8:122:300::/56', '2001:db8:122:3c0:0:221::'],
  ['2001:db8:122:344::/64', '2001:db8:122:344:c0:2:2100:0'],
  ['2001:db8:122:344::/96', '2001:db8:122:344::c000:221'],
  ['64:ff9b::/96', '64:ff9b::c000:221'],
] as const

function known(text: string): Ipv6Prefix {
  const prefix = parsePrefix(text)
  if (prefix === null) throw new Error(`${text} is no prefix`)
  return prefix
}

describe('an IPv4 address inside an IPv6 address', () => {
  it.each(examples)('is where RFC 6052 shows it: %s', (text, address) => {
    const prefix = known(text)
    const embedded = embedIpv4(prefix, '192.0.2.33') ?? ''
    expect(parseIpv6(embedded)).toEqual(parseIpv6(address))
    expect(extractIpv4(prefix, address)).toBe('192.0.2.33')
  })

  it('comes out as it went in', () => {
    fc.assert(
      fc.property(prefixes, ipv4, (prefix, address) => {
        expect(extractIpv4(prefix, embedIpv4(prefix, address) ?? '')).toBe(address)
      }),
    )
  })

  it('changes its own bits alone, and leaves bits 64 to 71', () => {
    fc.assert(
      fc.property(prefixes, ipv4, (prefix, address) => {
        const bytes = parseIpv6(embedIpv4(prefix, address) ?? '') ?? new Uint8Array()
        const own = embeddedBytes(prefix.length)
        expect(own.map((byte) => bytes[byte])).toEqual([...(parseIpv4(address) ?? [])])
        const rest = bytes.map((byte, index) => (own.includes(index) ? 0 : byte))
        expect(rest).toEqual(prefix.bytes)
        if (prefix.length !== 96) expect(bytes[8]).toBe(0)
      }),
    )
  })

  it('is not in an address outside of the prefix', () => {
    expect(extractIpv4(known('64:ff9b::/96'), 'fd46::2')).toBeNull()
    expect(extractIpv4(known('64:ff9b::/96'), 'no address')).toBeNull()
    expect(embedIpv4(known('64:ff9b::/96'), '10.4.0')).toBeNull()
  })
})

describe('the pieces of an address', () => {
  it('are all of it, and the IPv4 piece has 32 bits', () => {
    fc.assert(
      fc.property(prefixes, ipv4, (prefix, address) => {
        const parts = addressParts(embedIpv4(prefix, address) ?? '', prefix.length) ?? []
        expect(parts.map(({ text }) => text).join('')).toMatch(/^([0-9a-f]{4}:){7}[0-9a-f]{4}$/)
        const digits = parts.flatMap(({ kind, text }) => (kind === 'ipv4' ? [text.replaceAll(':', '')] : [])).join('')
        expect(digits).toBe(Buffer.from(parseIpv4(address) ?? []).toString('hex'))
      }),
    )
  })

  it('say what each is', () => {
    expect(addressParts('64:ff9b::10.4.0.2', 96)).toEqual([
      { kind: 'prefix', text: '0064:ff9b:0000:0000:0000:0000:' },
      { kind: 'ipv4', text: '0a04:0002' },
    ])
    expect(addressParts('2001:db8:1c0:2:21::', 40)).toEqual([
      { kind: 'prefix', text: '2001:0db8:01' },
      { kind: 'ipv4', text: 'c0:0002:' },
      { kind: 'zero', text: '00' },
      { kind: 'ipv4', text: '21:' },
      { kind: 'zero', text: '0000:0000:0000' },
    ])
    expect(addressParts('10.4.0.2', 96)).toBeNull()
  })
})

describe('a prefix', () => {
  it.each(['64:ff9b::', '64:ff9b::/95', '64:ff9b:0:0:100::/96', '2001:db8:1::/32', '10.0.0.0/32', '64:ff9b::/96/96'])(
    'is not %s',
    (text) => {
      expect(parsePrefix(text)).toBeNull()
    },
  )
})

describe('an IPv6 address', () => {
  it('is the same after it was written', () => {
    fc.assert(
      fc.property(ipv6Bytes, (bytes) => {
        expect(parseIpv6(formatIpv6Bytes(bytes))).toEqual(bytes)
      }),
    )
  })

  it.each([
    '',
    ':',
    '1::2::3',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '1:2:3:4:5:6:7::8',
    '12345::',
    '::1.2.3',
    '::1.2.3.4:5',
    '::01.2.3.4',
  ])('is not "%s"', (text) => {
    expect(parseIpv6(text)).toBeNull()
  })
})
