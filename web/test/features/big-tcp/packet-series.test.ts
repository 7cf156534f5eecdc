import type { Capture, CapturedPacket } from '@expresslane/shared/measure/capture'
import { bytes, microseconds } from '@expresslane/shared/base/units'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lengthBins, payloadSum, pieces, widestMessage } from '../../../src/features/big-tcp/packets/packet-series.ts'
import { hexLines, packetHeaders } from '../../../src/features/big-tcp/packets/packet-fields.ts'

/** Recorded on a node's device: an 80,000-byte request in one packet. */
const ipv6Head =
  '6003e2730000003ffd020000000000000000000000000002fd01000000000000000000000000000' +
  '20600c204000138a8a5c38c0b070395ff7d3320248018' +
  '08e232b000000101080a49fb40d2ac1eacdb'
const ipv4Head =
  '45000000da6640003f064d8b0a0200020a010002a3cb9bfd17381240d4e6e714801808e24cae00000101080a8626581ed614b9fd'

function packet(at: number, payload: number, more: Partial<CapturedPacket> = {}): CapturedPacket {
  return {
    at: microseconds.parse(at),
    direction: 'request',
    length: bytes.parse(payload + 52),
    payload: bytes.parse(payload),
    again: false,
    flags: '[P.]',
    lengthField: payload + 52 > 65_535 ? 0 : payload + 52,
    jumbo: null,
    head: ipv4Head,
    ...more,
  }
}

function captureOf(arm: string, packets: CapturedPacket[]): Capture {
  const size = bytes.parse(80_000)
  return { arm, family: 'ipv4', node: 'n', device: 'eth0', requestBytes: size, responseBytes: size, packets }
}

const response = { direction: 'response' } as const
const off = captureOf('off', [
  packet(0, 65_160),
  packet(10, 0, response),
  packet(12, 14_840),
  packet(40, 65_160, response),
])
const on = captureOf('on', [packet(0, 80_000), packet(8, 0, response)])
const both = [off, on]

describe('at a glance', () => {
  test('a request is the sum of its packets', () => {
    expect(payloadSum(off, 'request')).toBe('65,160 + 14,840')
    expect(payloadSum(on, 'request')).toBe('80,000')
    expect(payloadSum(on, 'response')).toBe('')
    const repeated = captureOf('on', [packet(0, 80_000), packet(9, 360, { again: true })])
    expect(payloadSum(repeated, 'request')).toBe('80,000')
  })

  test('the pieces are adjacent and fill the widest message', () => {
    expect(pieces(on, 'request', widestMessage(both))).toEqual([{ from: 0, width: 100, payload: 80_000 }])
    const cut = pieces(off, 'request', widestMessage(both))
    expect(cut.map(({ from }) => from)).toEqual([0, expect.closeTo(81.45, 6)])
    expect(cut.reduce((sum, { width }) => sum + width, 0)).toBeCloseTo(100, 6)
  })
})

describe('without packets', () => {
  test('no capture means an empty chart, and no error', () => {
    const none = captureOf('off', [])
    expect(pieces(none, 'request', widestMessage([none]))).toEqual([])
    expect(lengthBins(none, [none])).toEqual([])
  })
})

describe('the histogram', () => {
  test('marks lengths that do not fit into 16 bits', () => {
    const filled = (of: Capture) =>
      lengthBins(of, both).flatMap(({ label, count, beyond }) => (count > 0 ? [{ label, count, beyond }] : []))
    expect(filled(on)).toEqual([
      { label: 'under 100', count: 1, beyond: false },
      { label: 'to 128K', count: 1, beyond: true },
    ])
    expect(filled(off).some(({ beyond }) => beyond)).toBe(false)
  })

  test('contains every packet once', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 600_000 })), (sizes) => {
        const of = captureOf(
          'on',
          sizes.map((size, index) => packet(index, size)),
        )
        expect(lengthBins(of, [of]).reduce((sum, { count }) => sum + count, 0)).toBe(sizes.length)
      }),
    )
  })
})

describe('headers in words', () => {
  test('over IPv6 the hop-by-hop header is taken apart', () => {
    const headers = packetHeaders(packet(0, 80_000, { head: ipv6Head, jumbo: bytes.parse(80_040) }))
    expect(headers.map(({ title }) => title)).toEqual([
      'IPv6 header, 40 bytes',
      'Hop-by-hop header, 8 bytes',
      'TCP header',
    ])
    const notable = headers.flatMap(({ fields }) =>
      fields.filter((one) => one.notable).map(({ name, value }) => `${name}: ${value}`),
    )
    expect(notable).toEqual([
      'Payload length: 0',
      'Next header: 0 (hop-by-hop options)',
      'Option type: 0xc2',
      'Jumbo payload length: 80,040',
      'Payload: 80,000 bytes',
    ])
  })

  test('over IPv6 Linux 7 has no such header, and the field says where the length is', () => {
    const head = `${ipv6Head.slice(0, 12)}06${ipv6Head.slice(14, 80)}${ipv6Head.slice(96)}`
    const headers = packetHeaders(packet(0, 80_000, { head }))
    expect(headers.map(({ title }) => title)).toEqual(['IPv6 header, 40 bytes', 'TCP header'])
    expect(headers[0]?.fields[0]).toMatchObject({ name: 'Payload length', value: '0', notable: true })
    expect(JSON.stringify(headers[0]?.fields[0])).toContain('from Linux 7 on')
  })

  test('over IPv4 the zero length is marked', () => {
    const [ip] = packetHeaders(packet(0, 80_000))
    expect(ip?.fields[0]).toMatchObject({ name: 'Total length (tot_len)', value: '0', notable: true })
  })

  test('unreadable packets have none', () => {
    expect(packetHeaders(packet(0, 1, { head: '45' }))).toEqual([])
    expect(hexLines('4500003c')).toEqual(['4500 003c'])
  })
})
