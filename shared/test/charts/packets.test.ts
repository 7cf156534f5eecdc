import { describe, expect, it } from 'vitest'
import { paper } from '../../src/charts/draw/chart.ts'
import type { Mark } from '../../src/charts/draw/marks.ts'
import { packetId, packetsChart } from '../../src/charts/packets-chart.ts'
import { capture, type Capture } from '../../src/measure/capture.ts'

function captureOf(arm: string, packets: readonly (readonly [at: number, length: number])[]): Capture {
  return capture.parse({
    arm,
    family: 'ipv4',
    node: 'node1',
    device: 'eth0',
    requestBytes: 80_000,
    responseBytes: 1,
    packets: packets.map(([at, length]) => ({
      at,
      length,
      direction: 'request',
      payload: length < 100 ? 0 : length - 52,
      again: false,
      flags: '[P.]',
      lengthField: 0,
      jumbo: null,
      head: '45',
    })),
  })
}

const off = captureOf('off', [
  [0, 65_212],
  [40, 14_892],
])
const on = captureOf('on', [
  [0, 80_052],
  [8, 52],
])

function packetsOf(of: Capture, captures: readonly Capture[]): readonly Mark[] {
  const { marks } = packetsChart(of, { title: 'Packets', captures, clock: null }, paper)
  return marks.filter(({ choice }) => choice !== undefined)
}

const heightOf = (of: Mark | undefined): number => Number(of?.marks?.[0]?.attributes['height'])
const placeOf = (of: Mark | undefined): number => Number(of?.marks?.[0]?.attributes['x'])

describe('packets over time', () => {
  it('share their axes with the other capture, and can be chosen', () => {
    const [first, second] = packetsOf(off, [off, on])
    const [whole, bare] = packetsOf(on, [off, on])
    expect(heightOf(first) / heightOf(whole)).toBeCloseTo(65_212 / 80_052, 1)
    expect(placeOf(bare) / placeOf(second)).toBeCloseTo(8 / 40, 2)
    expect(second?.choice?.id).toBe(packetId(1))
    expect(second?.hint).toBe('request, 14,892 bytes at 40 µs')
  })

  it('are an empty chart where nothing was captured', () => {
    const none = captureOf('off', [])
    expect(packetsOf(none, [none])).toEqual([])
  })
})
