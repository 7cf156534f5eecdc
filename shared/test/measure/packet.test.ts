import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bytesOfHex, decodeIpPacket, formatIpv6 } from '../../src/measure/packet.ts'

/** Recorded on a node's device by tcpdump 4.99.3 on kernel 6.18: 80,000 bytes in one packet. */
const ipv6 =
  '6003e2730000003ffd020000000000000000000000000002fd01000000000000000000000000000' +
  '20600c204000138a8a5c38c0b070395ff7d33202480180' +
  '8e232b000000101080a49fb40d2ac1eacdb'
const ipv4 = '45000000da6640003f064d8b0a0200020a010002a3cb9bfd17381240d4e6e714801808e24cae00000101080a8626581ed614b9fd'

function decode(hex: string) {
  return decodeIpPacket(bytesOfHex(hex) ?? new Uint8Array())
}

describe('a BIG TCP packet', () => {
  test('over IPv6 has its length in a hop-by-hop header', () => {
    expect(decode(ipv6)).toEqual({
      version: 6,
      source: 'fd02::2',
      destination: 'fd01::2',
      lengthField: 0,
      statedLength: 80_080,
      hopLimit: 63,
      nextHeader: 0,
      jumbo: { at: 40, nextHeader: 6, headerBytes: 8, optionType: 0xc2, optionBytes: 4, jumbo: 80_040 },
      sourcePort: 42_435,
      destinationPort: 35_851,
      sequence: 117_675_519,
      acknowledgement: 2_100_502_564,
      flags: 'P.',
      headerBytes: 80,
    })
  })

  test('over IPv4 has no length at all', () => {
    expect(decode(ipv4)).toMatchObject({
      version: 4,
      source: '10.2.0.2',
      destination: '10.1.0.2',
      lengthField: 0,
      statedLength: null,
      nextHeader: 6,
      jumbo: null,
      flags: 'P.',
      headerBytes: 52,
    })
  })
})

test.each([ipv4, ipv6])('cut off before the end of its TCP header, it is not decoded', (hex) => {
  const whole = bytesOfHex(hex) ?? new Uint8Array()
  const tcpAt = whole.length - 32
  for (let length = 0; length < tcpAt + 13; length += 1) expect(decodeIpPacket(whole.subarray(0, length))).toBeNull()
  expect(decodeIpPacket(whole)).not.toBeNull()
})

test('any bytes are read', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      expect(() => decodeIpPacket(bytes)).not.toThrow()
    }),
  )
})

test('an address is written as RFC 5952 says', () => {
  expect(formatIpv6([0xfd00, 0x31, 2, 0, 0, 0, 0, 2])).toBe('fd00:31:2::2')
  expect(formatIpv6([0, 0, 0, 0, 0, 0, 0, 0])).toBe('::')
  expect(formatIpv6([1, 0, 2, 0, 0, 3, 0, 0])).toBe('1:0:2::3:0:0')
  fc.assert(
    fc.property(fc.array(fc.constantFrom(0, 1, 0xffff), { minLength: 8, maxLength: 8 }), (groups) => {
      expect(new URL(`http://[${formatIpv6(groups)}]`).hostname).toBe(`[${formatIpv6(groups)}]`)
    }),
  )
})

test('hex is whole bytes', () => {
  expect(bytesOfHex('00ff')).toEqual(Uint8Array.of(0, 255))
  expect(bytesOfHex('0')).toBeNull()
  expect(bytesOfHex('0g')).toBeNull()
})
