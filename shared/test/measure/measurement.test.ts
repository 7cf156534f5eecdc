import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { expectedPackets, packetPayload } from '../../src/features/big-tcp/payload.ts'
import { median } from '../../src/measure/measurement.ts'
import { bytes, formatChange, formatSize, payloadRate, transactionsPerSecond } from '../../src/base/units.ts'

const b = (value: number) => bytes.parse(value)

describe('packets of a message', () => {
  it('matches the packets seen on a wire at 64 KiB', () => {
    expect(packetPayload(b(65_536), b(1500), 'ipv4')).toBe(65_160)
    expect(packetPayload(b(65_536), b(1500), 'ipv6')).toBe(64_260)
    expect(expectedPackets(b(80_000), b(65_536), b(1500), 'ipv4')).toBe(2)
  })

  it('is one packet for 80,000 bytes under the big limit', () => {
    expect(expectedPackets(b(80_000), b(196_608), b(1500), 'ipv6')).toBe(1)
  })

  it('never grows with the limit', () => {
    const limit = fc.integer({ min: 2000, max: 600_000 })
    fc.assert(
      fc.property(limit, limit, fc.integer({ min: 1, max: 1_000_000 }), (one, other, size) => {
        const packets = (at: number) => expectedPackets(b(size), b(at), b(1500), 'ipv4')
        expect(packets(Math.max(one, other))).toBeLessThanOrEqual(packets(Math.min(one, other)))
      }),
    )
  })
})

describe('median', () => {
  it('lies between the extremes and does not depend on the order', () => {
    const list = fc.array(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 }), { minLength: 1 })
    fc.assert(
      fc.property(list, (values) => {
        const middle = median(values)
        expect(middle).toBeGreaterThanOrEqual(Math.min(...values))
        expect(middle).toBeLessThanOrEqual(Math.max(...values))
        // Sorting leaves 0 and -0 in the order that they came in; adding 0 makes both 0.
        expect(median(values.toReversed()) + 0).toBe(middle + 0)
      }),
    )
  })

  it('without values is not a number', () => {
    expect(median([])).toBeNaN()
  })
})

describe('units', () => {
  it('derives the payload rate of the published 12,191 TPS as 7.8 Gbit/s', () => {
    expect(payloadRate(transactionsPerSecond.parse(12_191), b(80_000)) / 1e9).toBeCloseTo(7.8, 1)
  })

  it('writes sizes and changes as people read them', () => {
    expect(formatSize(b(196_608))).toBe('192K')
    expect(formatSize(b(524_280))).toBe('512K')
    expect(formatChange(-4)).toBe('−4.0 %')
    expect(formatChange(6410.3)).toBe('+6,410 %')
  })
})
