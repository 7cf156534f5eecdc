import { LabError, type ErrorCode } from '@expresslane/shared/base/errors'
import { bytes } from '@expresslane/shared/base/units'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createTcpRrReader, hasDemoMode, tcpRrArgv } from '../../src/tools/netperf/netperf.ts'
import { crrLength } from '../../src/tools/netperf/run-netperf.ts'
import { readNetperfLine, type Ended } from '../../src/tools/netperf/output.ts'
import { readFixture } from './fixture.ts'

const success: Ended = { code: 0, signal: null }

function read(lines: readonly string[]) {
  const reader = createTcpRrReader()
  const samples = lines.map((line) => reader.read(line)).filter((sample) => sample !== null)
  return { samples, finish: (ended: Ended) => reader.finish(ended) }
}

function problemOf(lines: readonly string[], ended: Ended): LabError {
  try {
    read(lines).finish(ended)
  } catch (error) {
    if (error instanceof LabError) return error
    throw error
  }
  throw new Error('a result was read')
}

function codeOf(lines: readonly string[], ended: Ended): ErrorCode {
  return problemOf(lines, ended).code
}

describe('argv', () => {
  test('asks for sizes with a comma, interim results, and every latency', () => {
    const sizes = { requestBytes: bytes.parse(80_000), responseBytes: bytes.parse(40_000) }
    expect(tcpRrArgv({ address: 'fd00::1', seconds: 10, ...sizes }).join(' ')).toBe(
      'netperf -H fd00::1 -t TCP_RR -l 10 -D 0.2 -P 0 -- -r 80000,40000 -k ' +
        'MIN_LATENCY,MEAN_LATENCY,P50_LATENCY,P90_LATENCY,P99_LATENCY,MAX_LATENCY,STDDEV_LATENCY,' +
        'THROUGHPUT,THROUGHPUT_UNITS,LOCAL_CPU_UTIL,REMOTE_CPU_UTIL,LOCAL_TRANSPORT_RETRANS,ELAPSED_TIME',
    )
  })
})

describe.each(['ipv4-off', 'ipv6-off', 'ipv4-on', 'ipv6-on'])('a recorded run, %s', (name) => {
  const { lines, exit } = readFixture(`netperf/2.7.0-tcp-rr-${name}`)
  const value = (field: string): number => Number(lines.find((line) => line.startsWith(`${field}=`))?.split('=')[1])

  test('gives the result that netperf printed', () => {
    expect(read(lines).finish(exit)).toEqual({
      tps: value('THROUGHPUT'),
      latency: {
        min: value('MIN_LATENCY'),
        mean: value('MEAN_LATENCY'),
        p50: value('P50_LATENCY'),
        p90: value('P90_LATENCY'),
        p99: value('P99_LATENCY'),
        max: value('MAX_LATENCY'),
        stddev: value('STDDEV_LATENCY'),
      },
      elapsedSeconds: value('ELAPSED_TIME'),
      retransmits: value('LOCAL_TRANSPORT_RETRANS'),
    })
  })

  test('gives a sample for each interim result, the last at about the end', () => {
    const { samples } = read(lines)
    expect(samples).toHaveLength(lines.filter((line) => line.startsWith('NETPERF_INTERIM_RESULT')).length)
    expect(samples[0]?.tps).toBe(value('NETPERF_INTERIM_RESULT[0]'))
    expect(samples[0]?.atSeconds).toBe(value('NETPERF_INTERVAL[0]'))
    expect(samples.at(-1)?.atSeconds).toBeCloseTo(value('ELAPSED_TIME'), 1)
  })

  test('a field that is missing, no number, or negative is named', () => {
    for (const field of ['P50_LATENCY', 'MAX_LATENCY', 'THROUGHPUT', 'ELAPSED_TIME']) {
      const others = lines.filter((line) => !line.startsWith(`${field}=`))
      for (const bad of [[], [`${field}=`], [`${field}=-1.00`], [`${field}=!UNKNOWN OUTPUT SELECTOR!`]]) {
        const problem = problemOf([...others, ...bad], exit)
        expect(problem.code).toBe('tool_output_unreadable')
        expect(problem.message).toContain(field)
      }
    }
  })

  test('output cut anywhere before its last needed field is unreadable, and never a result', () => {
    fc.assert(
      fc.property(fc.nat({ max: lines.length - 1 }), (length) => {
        expect(codeOf(lines.slice(0, length), success)).toBe('tool_output_unreadable')
      }),
    )
  })

  test('retransmits that netperf does not report are unknown', () => {
    const others = lines.filter((line) => !line.startsWith('LOCAL_TRANSPORT_RETRANS='))
    expect(read(others).finish(exit).retransmits).toBeNull()
    expect(read([...others, 'LOCAL_TRANSPORT_RETRANS=-1']).finish(exit).retransmits).toBeNull()
  })

  test('units other than transactions are refused', () => {
    const others = lines.map((line) => (line.startsWith('THROUGHPUT_UNITS=') ? 'THROUGHPUT_UNITS=10^6bits/s' : line))
    expect(codeOf(others, exit)).toBe('tool_output_unreadable')
  })
})

describe('recorded failures', () => {
  test.each(['no-server', 'no-server-ipv6'])('%s: the server is unreachable, in the words of netperf', (name) => {
    const { lines, exit } = readFixture(`netperf/2.7.0-${name}`)
    const problem = problemOf(lines, exit)
    expect(exit.code).toBe(255)
    expect(problem.code).toBe('netserver_unreachable')
    expect(problem.detail).toBe(lines.join('\n'))
  })

  test.each(['unknown-test', 'server-died', 'killed'])('%s: netperf failed, in its words', (name) => {
    const { lines, exit } = readFixture(`netperf/2.7.0-${name}`)
    const problem = problemOf(lines, exit)
    expect(problem.code).toBe('tool_failed')
    expect(problem.detail).toContain(lines.at(-1))
  })

  test('attributes that were not printed make no result', () => {
    const { lines, exit } = readFixture('netperf/2.7.0-missing-attribute')
    expect(exit.code).toBe(0)
    expect(codeOf(lines, exit)).toBe('tool_output_unreadable')
  })
})

describe('demo mode', () => {
  test('is missed in the output of a build without it, and only there', () => {
    expect(hasDemoMode(readFixture('netperf/2.7.0-no-demo').lines.join('\n'))).toBe(false)
    expect(hasDemoMode(readFixture('versions/netperf').lines.join('\n'))).toBe(true)
  })

  test('a run without it has a result and no samples', () => {
    const demo = readFixture('netperf/2.7.0-no-demo').lines.slice(0, 3)
    const { lines, exit } = readFixture('netperf/2.7.0-tcp-rr-ipv4-off')
    const { samples, finish } = read([...demo, ...lines.filter((line) => !line.startsWith('NETPERF_'))])
    expect(samples).toEqual([])
    expect(finish(exit).tps).toBeGreaterThan(0)
  })
})

describe('any text', () => {
  const anyLine = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc
      .constantFrom('NETPERF_INTERIM_RESULT[', 'NETPERF_INTERVAL[0]=', 'THROUGHPUT=', '=')
      .chain((start) => fc.string().map((rest) => start + rest)),
    fc
      .tuple(fc.constantFrom('NETPERF_INTERIM_RESULT', 'NETPERF_INTERVAL'), fc.nat({ max: 3 }), fc.double())
      .map(([name, index, value]) => `${name}[${index}]=${value}`),
  )

  test('is read without throwing', () => {
    fc.assert(fc.property(anyLine, (line) => void readNetperfLine(line)))
  })

  test('gives samples whose time never goes back, and a result or a LabError', () => {
    fc.assert(
      fc.property(fc.array(anyLine), fc.option(fc.nat({ max: 255 })), (lines, code) => {
        const { samples, finish } = read(lines)
        const times = samples.map(({ atSeconds }) => atSeconds)
        expect(times).toEqual(times.toSorted((a, b) => a - b))
        expect(() => finish({ code, signal: null })).toThrow(LabError)
      }),
    )
  })
})

describe('the length of a TCP_CRR run', () => {
  test.each([
    ['whole seconds, for the first run of an arm', 0.5, null, 1],
    ['the transactions of its seconds at the rate of the run before', 2, { tps: 5_000.4 }, -10_001],
    ['the transactions of part of a second', 0.5, { tps: 5_000 }, -2_500],
    ['a single transaction at least', 1, { tps: 0.1 }, -1],
    ['seconds, if the run before has no rate', 1, { tps: null }, 1],
  ])('is %s', (_, seconds, values, length) => {
    expect(crrLength({ seconds, previous: values === null ? null : { values } })).toBe(length)
  })
})
