import { describe, expect, test } from 'vitest'
import { createTcpStreamReader, tcpStreamArgv } from '../../src/tools/netperf/stream.ts'
import { readFixture } from './fixture.ts'

test('argv asks for megabits, interim results and what the result needs', () => {
  expect(tcpStreamArgv({ address: 'fd00::1', seconds: 10, intervalSeconds: 5 }).join(' ')).toBe(
    'netperf -H fd00::1 -t TCP_STREAM -l 10 -D 5 -f m -P 0 -- ' +
      '-k THROUGHPUT,THROUGHPUT_UNITS,REMOTE_BYTES_RECVD,LOCAL_TRANSPORT_RETRANS,ELAPSED_TIME',
  )
})

describe.each(['ipv4-off', 'ipv4-on', 'ipv6-off', 'ipv6-on'])('a recorded run, %s', (name) => {
  const { lines, exit } = readFixture(`netperf/2.7.0-tcp-stream-${name}`)
  const value = (field: string): number => Number(lines.find((line) => line.startsWith(`${field}=`))?.split('=')[1])

  test('has its intervals and its result', () => {
    const reader = createTcpStreamReader()
    const intervals = lines.map((line) => reader.read(line)).filter((interval) => interval !== null)
    expect(intervals.length).toBeGreaterThan(0)
    for (const [index, interval] of intervals.entries()) {
      expect(interval.bitsPerSecond / 1e6).toBeCloseTo(value(`NETPERF_INTERIM_RESULT[${index}]`), 6)
    }
    expect(intervals[0]).toMatchObject({ atSeconds: value('NETPERF_INTERVAL[0]'), retransmits: null, omitted: false })
    const result = reader.finish(exit)
    expect(result).toMatchObject({
      elapsedSeconds: value('ELAPSED_TIME'),
      retransmits: value('LOCAL_TRANSPORT_RETRANS'),
      payloadBytes: value('REMOTE_BYTES_RECVD'),
    })
    expect(result.throughput).toBeCloseTo(value('THROUGHPUT') * 1e6, 0)
    expect((result.payloadBytes * 8) / result.elapsedSeconds / result.throughput).toBeCloseTo(1, 2)
  })

  test('in other units it is unreadable', () => {
    const reader = createTcpStreamReader()
    for (const line of lines) reader.read(line.replace('10^6bits/s', '10^3bits/s'))
    expect(() => reader.finish(exit)).toThrow(expect.objectContaining({ code: 'tool_output_unreadable' }))
  })
})

test('a missing server is reported', () => {
  const { lines, exit } = readFixture('netperf/2.7.0-no-server')
  const reader = createTcpStreamReader()
  for (const line of lines) reader.read(line)
  expect(() => reader.finish(exit)).toThrow(expect.objectContaining({ code: 'netserver_unreachable' }))
})
