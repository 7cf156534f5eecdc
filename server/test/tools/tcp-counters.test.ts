import { bytes } from '@expresslane/shared/base/units'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  packetRate,
  parseTcpCounters,
  payloadPerPacket,
  type PairCounters,
  type PodCounters,
} from '../../src/tools/tcp-counters.ts'
import { readFixture } from './fixture.ts'

describe('a recorded pod', () => {
  const { lines } = readFixture('linux/6.18-tcp-client-off')

  test('has its counters by name, whatever their column', () => {
    const { outSegs, origDataSent } = parseTcpCounters(lines.join('\n'))
    const [names = '', values = ''] = lines.filter((line) => line.startsWith('Tcp: '))
    const value = (name: string): number => Number(values.split(' ')[names.split(' ').indexOf(name)])
    expect(outSegs).toBe(value('OutSegs'))
    expect(origDataSent).toBeGreaterThan(0)
    expect(origDataSent).toBeLessThan(outSegs)
  })

  test('cut short, it is unreadable', () => {
    fc.assert(
      fc.property(fc.nat({ max: lines.findIndex((line) => line.startsWith('TcpExt: ')) + 1 }), (length) => {
        expect(() => parseTcpCounters(lines.slice(0, length).join('\n'))).toThrow(
          expect.objectContaining({ code: 'tool_output_unreadable' }),
        )
      }),
    )
  })
})

/** The packets of a pod in one direction. */
interface Traffic {
  readonly data: number
  readonly acks: number
  /** Data packets sent again: they arrive, and no segment counts as sent for them. */
  readonly resent: number
  /** Segments that one data packet carries. */
  readonly segments: number
}

function after(before: PodCounters, sent: Traffic, received: Traffic): PodCounters {
  const { data, acks, segments } = sent
  const rxPackets = before.device.rxPackets + received.data + received.resent + received.acks
  return {
    device: { ...before.device, rxPackets },
    tcp: {
      outSegs: before.tcp.outSegs + data * segments + acks,
      origDataSent: before.tcp.origDataSent + data * segments,
    },
  }
}

const count = fc.nat({ max: 10_000_000 })
const traffic: fc.Arbitrary<Traffic> = fc.record({
  data: count,
  acks: count,
  resent: fc.nat({ max: 100 }),
  segments: fc.integer({ min: 1, max: 130 }),
})
const podCounters: fc.Arbitrary<PodCounters> = fc.record({
  device: fc.record({
    rxPackets: count,
    txPackets: count,
    rxBytes: count.map((value) => bytes.parse(value)),
    txBytes: count.map((value) => bytes.parse(value)),
  }),
  tcp: fc.record({ outSegs: count, origDataSent: count }),
})
const pair: fc.Arbitrary<PairCounters> = fc.record({ client: podCounters, server: podCounters })

describe('packet rate', () => {
  test('separates data packets from bare acknowledgements, also with earlier traffic', () => {
    fc.assert(
      fc.property(pair, traffic, traffic, fc.integer({ min: 1, max: 1_000_000 }), (before, up, down, transactions) => {
        const later = { client: after(before.client, up, down), server: after(before.server, down, up) }
        expect(packetRate(before, later, transactions)).toEqual({
          perRequest: (up.data + up.resent) / transactions,
          perResponse: (down.data + down.resent) / transactions,
          acks: (up.acks + down.acks) / transactions,
        })
      }),
    )
  })

  test('is unknown when nothing was transacted or the pods were replaced in between', () => {
    fc.assert(
      fc.property(pair, (before) => {
        expect(packetRate(before, before, 0)).toBeNull()
        const device = { ...before.server.device, rxPackets: before.server.device.rxPackets + 1 }
        const earlier = { ...before, server: { ...before.server, device } }
        expect(packetRate(earlier, before, 10)).toBeNull()
      }),
    )
  })
})

describe('bytes per packet', () => {
  test('is the payload over the data packets that arrived at the server', () => {
    fc.assert(
      fc.property(pair, traffic, traffic, count, (before, up, down, payload) => {
        const later = { client: after(before.client, up, down), server: after(before.server, down, up) }
        const packets = up.data + up.resent
        expect(payloadPerPacket(before, later, payload)).toBe(packets === 0 ? null : payload / packets)
      }),
    )
  })

  test('is unknown if pods were replaced in between', () => {
    const fresh = { device: { rxPackets: 0, txPackets: 0, rxBytes: bytes.parse(0), txBytes: bytes.parse(0) } }
    const made = (segments: number): PodCounters => ({ ...fresh, tcp: { outSegs: segments, origDataSent: 0 } })
    const at = (segments: number): PairCounters => ({ client: made(segments), server: made(segments) })
    expect(payloadPerPacket(at(100), at(1), 1_000)).toBeNull()
  })
})
