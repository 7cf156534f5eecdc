import type { LabError } from '@expresslane/shared/base/errors'
import { sample } from '@expresslane/shared/measure/measurement'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  createIperf3Reader,
  iperf3ClientArgv,
  iperf3ServerArgv,
  isListening,
  isPortTaken,
} from '../../src/tools/iperf3/iperf3.ts'
import type { Ended } from '../../src/tools/netperf/output.ts'
import { readFixture } from './fixture.ts'

const options = { address: 'fd00::1', port: 5201, seconds: 2, omitSeconds: 1, intervalSeconds: 1 }
const success: Ended = { code: 0, signal: null }

function read(version: string, lines: readonly string[]) {
  const reader = createIperf3Reader({ ...options, version })
  const intervals = lines.map((line) => reader.read(line)).filter((interval) => interval !== null)
  return { intervals, finish: (ended: Ended) => reader.finish(ended) }
}

function problemOf(version: string, lines: readonly string[], ended: Ended): LabError | null {
  try {
    read(version, lines).finish(ended)
    return null
  } catch (error) {
    return error as LabError
  }
}

describe('argv', () => {
  test('asks a version that has it for JSON as it runs', () => {
    const words = 'iperf3 -c fd00::1 -p 5201 -t 2 -O 1 -i 1 --json-stream --forceflush'
    expect(iperf3ClientArgv({ ...options, version: '3.17' }).join(' ')).toBe(words)
  })

  test.each(['3.12', '3.9', null])('asks %s for text', (version) => {
    const words = 'iperf3 -c fd00::1 -p 5201 -t 2 -O 1 -i 1 -f k --forceflush'
    expect(iperf3ClientArgv({ ...options, version }).join(' ')).toBe(words)
  })

  // With `-O 1 -i 5` iperf3 has no row for the first second, and its bytes would be missing from the stream's.
  test.each([
    [1, 5, 1],
    [7, 5, 1],
    [4, 6, 2],
    [10, 5, 5],
    [0, 5, 5],
  ])('leaving out %i s, rows of %i s are of %i s, so that none is cut off', (omitSeconds, intervalSeconds, rows) => {
    const argv = iperf3ClientArgv({ ...options, omitSeconds, intervalSeconds, version: null })
    expect(argv[argv.indexOf('-i') + 1]).toBe(String(rows))
  })

  test('starts a server for one test', () => {
    expect(iperf3ServerArgv(5202).join(' ')).toBe('iperf3 -s -1 -p 5202 --forceflush')
  })
})

test('a server reports that it listens, or that another one does', () => {
  expect(isListening('Server listening on 5201 (test #1)')).toBe(true)
  const { lines } = readFixture('iperf3/3.12-port-taken')
  expect(lines.filter(isPortTaken)).toHaveLength(1)
  expect(lines.some(isListening)).toBe(false)
})

const arms = ['ipv4-off', 'ipv4-on', 'ipv6-off', 'ipv6-on']

describe.each(arms.flatMap((arm) => ['3.12', '3.18'].map((version) => ({ version, arm }))))(
  'a recorded run, $version $arm',
  ({ version, arm }) => {
    const { lines, exit } = readFixture(`iperf3/${version}-${arm}`)

    test('has its intervals on one clock, the omitted one marked', () => {
      const { intervals } = read(version, lines)
      expect(intervals.map(({ omitted }) => omitted)).toEqual([true, false, false])
      expect(intervals.map(({ atSeconds }) => Math.round(atSeconds))).toEqual([1, 2, 3])
      for (const interval of intervals) {
        const { atSeconds, seconds, omitted, bitsPerSecond: throughput, cwnd, retransmits } = interval
        const { success: valid } = sample.safeParse({
          atSeconds,
          seconds,
          omitted,
          values: { throughput, cwnd, retransmits },
        })
        expect(valid).toBe(true)
        expect(interval.cwnd).toBeGreaterThan(0)
        expect(interval.retransmits).not.toBeNull()
      }
    })

    test('the rates make up the result', () => {
      const { intervals, finish } = read(version, lines)
      const { throughput, elapsedSeconds, retransmits, payloadBytes } = finish(exit)
      const counted = intervals.filter(({ omitted }) => !omitted)
      const bits = counted.reduce((sum, one) => sum + one.bitsPerSecond * one.seconds, 0)
      // The result is what arrived, the rows are what was sent.
      expect((throughput * elapsedSeconds) / bits).toBeCloseTo(1, 1)
      expect(elapsedSeconds).toBeCloseTo(2, 0)
      expect(retransmits).toBe(counted.reduce((sum, one) => sum + (one.retransmits ?? 0), 0))
      const all = intervals.reduce((sum, one) => sum + (one.bitsPerSecond * one.seconds) / 8, 0)
      expect(payloadBytes / all).toBeCloseTo(1, 3)
    })

    test('cut off before its end, it is unreadable', () => {
      const without = lines.filter((line) => !/receiver/.test(line))
      expect(problemOf(version, without, success)?.code).toBe('tool_output_unreadable')
    })
  },
)

test('the text of 3.12 is read to the last digit', () => {
  const { intervals, finish } = read('3.12', [
    '[  5]   0.00-1.00   sec  1.54 GBytes  13200002 Kbits/sec  565    543 KBytes       (omitted)',
    '[  5]   1.00-2.50   sec  1.62 GBytes  13891562 Kbits/sec    0   3.81 MBytes       ',
    '[  5]   0.00-3.00   sec  4.79 GBytes  13732289 Kbits/sec  315             sender',
    '[  5]   0.00-3.00   sec  4.80 GBytes  13732349 Kbits/sec                  receiver',
  ])
  expect(intervals).toEqual([
    { atSeconds: 1, seconds: 1, bitsPerSecond: 13_200_002_000, retransmits: 565, cwnd: 556_032, omitted: true },
    { atSeconds: 3.5, seconds: 1.5, bitsPerSecond: 13_891_562_000, retransmits: 0, cwnd: 3_995_075, omitted: false },
  ])
  expect(finish(success)).toMatchObject({ throughput: 13_732_349_000, elapsedSeconds: 3, retransmits: 315 })
})

describe.each(['3.12', '3.18'])('a client of %s that finds no server', (version) => {
  test('fails in its own words', () => {
    const { lines, exit } = readFixture(`iperf3/${version}-refused`)
    const problem = problemOf(version, lines, exit)
    expect(problem?.code).toBe('tool_failed')
    expect(problem?.detail).toContain('Connection refused')
  })
})

test.each(['3.12', '3.18'])('a reader for %s takes any text', (version) => {
  fc.assert(
    fc.property(fc.array(fc.string()), (lines) => {
      expect(() => read(version, lines)).not.toThrow()
    }),
  )
})
