import { capturedPacket } from '@expresslane/shared/measure/capture'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { followDataConnection } from '../../src/tools/data-connection.ts'
import {
  createTcpdumpReader,
  isHexLine,
  isWatching,
  dataFilter,
  tcpdumpArgv,
  type CapturedFrame,
} from '../../src/tools/tcpdump.ts'
import { readFixture } from './fixture.ts'

const SERVER = { ipv4: '10.31.2.2', ipv6: 'fd00:31:2::2' }
const MESSAGE = 80_000

function framesOf(lines: readonly string[]): CapturedFrame[] {
  const reader = createTcpdumpReader()
  return lines.flatMap((line) => reader.read(line) ?? [])
}

function connectionOf(lines: readonly string[], server: string) {
  const connection = followDataConnection(server)
  for (const frame of framesOf(lines)) connection.add(frame)
  return connection
}

test('argv filters for the host and not for TCP, which a hop-by-hop header hides', () => {
  expect(tcpdumpArgv('eth0', dataFilter('fd00::1')).join(' ')).toBe(
    'tcpdump -i eth0 -n -tt -l --immediate-mode -e -s 128 -xx host fd00::1 and not port 12865',
  )
})

test('reports when it starts to see packets', () => {
  expect(isWatching('listening on eth0, link-type EN10MB (Ethernet), snapshot length 128 bytes')).toBe(true)
  expect(isWatching('tcpdump: listening on eth0, link-type EN10MB (Ethernet), capture size 128 bytes')).toBe(true)
  expect(isWatching('tcpdump: verbose output suppressed, use -v[v]... for full protocol decode')).toBe(false)
})

const cases = [
  { name: 'ipv4-off', family: 'ipv4', payloads: [65_160, 14_840], lengthField: [65_212, 14_892], jumbo: null },
  { name: 'ipv6-off', family: 'ipv6', payloads: [64_260, 15_740], lengthField: [64_292, 15_772], jumbo: null },
  { name: 'ipv4-on', family: 'ipv4', payloads: [80_000], lengthField: [0], jumbo: null },
  // 8 bytes of hop-by-hop header, 32 of TCP, the payload.
  { name: 'ipv6-on', family: 'ipv6', payloads: [80_000], lengthField: [0], jumbo: 80_040 },
] as const

describe.each(cases)('a recorded request, $name', ({ name, family, payloads, lengthField, jumbo }) => {
  const { lines } = readFixture(`tcpdump/4.99.3-${name}`)
  const server = SERVER[family]
  const packets = connectionOf(lines, server).lastExchange(MESSAGE)

  test('every packet that tcpdump printed is read, and as long as tcpdump says', () => {
    const printed = lines.filter((line) => /^\d+\.\d{6} /.test(line))
    const frames = framesOf(lines)
    expect(frames).toHaveLength(printed.length)
    expect(frames.map(({ length }) => length)).toEqual(
      printed.map((line) => Number(/, length (\d+): /.exec(line)?.[1])),
    )
    expect(lines.filter(isHexLine).length).toBeGreaterThan(printed.length)
  })

  test('is cut into the packets that its arm sends', () => {
    for (const direction of ['request', 'response']) {
      const data = packets.filter((one) => one.direction === direction && one.payload > 0)
      expect(data.map(({ payload }) => payload)).toEqual(payloads)
      expect(data.map((one) => one.lengthField)).toEqual(lengthField)
      expect(data.every((one) => one.jumbo === jumbo)).toBe(true)
    }
    for (const packet of packets) expect(capturedPacket.parse(packet)).toEqual(packet)
  })

  test('begins with the request and goes forward in time', () => {
    expect(packets[0]).toMatchObject({ at: 0, direction: 'request' })
    const times = packets.map(({ at }) => at)
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    expect(packets.every(({ flags }) => /^\[P?\.\]$/.test(flags))).toBe(true)
  })

  test('is over when both sides have closed it, and not before', () => {
    const connection = followDataConnection(server)
    const frames = framesOf(lines)
    const over = frames.findIndex((frame) => {
      connection.add(frame)
      return connection.ended()
    })
    expect(over).toBeGreaterThan(frames.length - 4)
  })

  test('the server is recognized by its address in any notation', () => {
    if (family === 'ipv4') return
    expect(connectionOf(lines, 'fd00:0031:0002:0:0:0:0:0002').lastExchange(MESSAGE)).toEqual(packets)
  })
})

test('retransmissions are marked, and do not change the request', () => {
  const { lines } = readFixture('tcpdump/4.99.3-ipv4-off')
  const frames = framesOf(lines)
  const connection = followDataConnection(SERVER.ipv4)
  const last = frames.findLastIndex(({ length }) => length === 14_906)
  for (const [index, frame] of frames.entries()) {
    connection.add(frame)
    // A probe for a lost tail is the last part of what was sent; here it is all of it.
    if (index === last) connection.add(frame)
  }
  const marks = connection.lastExchange(MESSAGE).map(({ again }) => again)
  expect(marks.filter(Boolean)).toHaveLength(1)
  expect(marks).toHaveLength(connectionOf(lines, SERVER.ipv4).lastExchange(MESSAGE).length + 1)
})

test('a short packet that a real wire padded has the length of its own header', () => {
  const { lines } = readFixture('tcpdump/4.99.3-ipv4-off')
  const bare = framesOf(lines).find(({ length }) => length === 66)
  const connection = followDataConnection(SERVER.ipv4)
  for (const frame of framesOf(lines)) connection.add(frame === bare ? { ...frame, length: 100 } : frame)
  const clean = connectionOf(lines, SERVER.ipv4).lastExchange(1_000_000)
  expect(connection.lastExchange(1_000_000)).toEqual(clean)
})

test('any text is read', () => {
  fc.assert(
    fc.property(fc.array(fc.string()), (lines) => {
      expect(framesOf(lines)).toEqual([])
    }),
  )
})
