import type { Benchmark } from '@expresslane/shared/measure/benchmark'
import { valueOf, type Sample } from '@expresslane/shared/measure/measurement'
import { fingerprintOf } from '@expresslane/shared/measure/fingerprint'
import type { Family } from '@expresslane/shared/base/units'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Invocation } from '../../../src/benchmarks/invocation.ts'
import { runBenchmark } from '../../../src/runs/measuring/run-benchmark.ts'
import { note } from '../../contract/contract-kit.ts'
import { netnsTestbed } from '../../support/netns.ts'
import { iperf3ServerArgv, isListening } from '../../../src/tools/iperf3/iperf3.ts'
import { descendants } from './host.ts'
import { performanceOn, type NotedPerformance } from '../../support/runs/perform.ts'
import { pair, pairOf } from '../../support/runs/pair.ts'
import { bigTcp } from '../../support/runs/settings.ts'

const testbed = netnsTestbed()
afterAll(() => testbed.close())

/** The most data in a packet of 64 KiB over IPv4; IPv6 carries less. */
const LARGEST_LEGACY_PAYLOAD = 65_160
const REPEAT = 3

beforeAll(() => switchTo(false))

async function switchTo(on: boolean): Promise<void> {
  await testbed.set(bigTcp({ ipv4: on, ipv6: on }), note())
  await testbed.deploy(pair, 'other-node', note())
}

async function invocation(family: Family, benchmark: Benchmark, seconds = 2): Promise<Invocation> {
  const [facts, datapath] = [await testbed.facts(note()), await testbed.read(note())]
  const { placement } = datapath
  if (placement === null) throw new Error('the pods are deployed')
  return {
    arm: 'off',
    caseId: 'stream',
    family,
    benchmark,
    placement,
    address: pairOf(placement).server.addresses[family] ?? '',
    repeat: REPEAT,
    warmup: false,
    seconds,
    fingerprint: fingerprintOf(facts, datapath),
    previous: null,
    before: null,
  }
}

function samplesOf({ events }: NotedPerformance): Sample[] {
  return events.flatMap((event) => (event.type === 'sample.taken' && event.repeat === REPEAT ? [event.sample] : []))
}

function everyCommandEnded({ events }: NotedPerformance): boolean {
  const ids = (type: 'command.started' | 'command.ended'): number[] =>
    events.flatMap((event) => (event.type === type ? [event.commandId] : [])).toSorted((a, b) => a - b)
  return ids('command.started').join(' ') === ids('command.ended').join(' ')
}

const iperf3 = { tool: 'iperf3', omitSeconds: 1, intervalSeconds: 1 } as const
const netperf = { tool: 'tcp-stream', omitSeconds: 0, intervalSeconds: 1 } as const

describe.each(['ipv4', 'ipv6'] as const)('one stream over %s', (family) => {
  test('iperf3 reports its intervals and marks the omitted ones', async () => {
    const performance = performanceOn(testbed)
    const { measurement, after } = await runBenchmark(await invocation(family, iperf3), performance)
    const intervals = samplesOf(performance)
    expect(intervals.map(({ omitted }) => omitted)).toEqual([true, false, false])
    expect(intervals.map(({ atSeconds }) => Math.round(atSeconds))).toEqual([1, 2, 3])
    expect(intervals.every(({ values }) => (values['cwnd'] ?? 0) > 0 && values['retransmits'] !== null)).toBe(true)
    expect(measurement).toMatchObject({ benchmark: iperf3, family, repeat: REPEAT, caseId: 'stream', warmup: false })
    expect(valueOf(measurement, 'retransmits')).not.toBeNull()
    expect(measurement.elapsedSeconds).toBeCloseTo(2, 0)
    const counted = intervals.filter(({ omitted }) => !omitted).map((one) => valueOf(one, 'throughput') ?? Number.NaN)
    expect(valueOf(measurement, 'throughput')).toBeGreaterThan(Math.min(...counted) * 0.9)
    expect(valueOf(measurement, 'throughput')).toBeLessThan(Math.max(...counted) * 1.1)
    expect(valueOf(measurement, 'bytesPerPacket')).toBeGreaterThan(1_448)
    expect(valueOf(measurement, 'bytesPerPacket')).toBeLessThanOrEqual(LARGEST_LEGACY_PAYLOAD * 1.01)
    expect(valueOf(measurement, 'cpuSecondsPerGigabit')).toBeGreaterThan(0)
    expect(after?.server.device.rxPackets).toBeGreaterThan(0)
    expect(everyCommandEnded(performance)).toBe(true)
  })

  test('netperf reports its intervals', async () => {
    const performance = performanceOn(testbed)
    const { measurement } = await runBenchmark(await invocation(family, netperf), performance)
    expect(samplesOf(performance).length).toBeGreaterThanOrEqual(1)
    expect(samplesOf(performance).every(({ omitted, values }) => !omitted && values['cwnd'] === null)).toBe(true)
    expect(measurement).toMatchObject({ benchmark: netperf, family })
    expect(valueOf(measurement, 'throughput')).toBeGreaterThan(0)
    expect(valueOf(measurement, 'bytesPerPacket')).toBeGreaterThan(1_448)
    expect(valueOf(measurement, 'cpuSecondsPerGigabit')).toBeGreaterThan(0)
  })
})

test('a leftover server keeps its port, and the next port is used', async () => {
  const cancel = new AbortController()
  const reason = new Error('not needed any more')
  const left = note(cancel.signal)
  const listening = Promise.withResolvers<void>()
  const leftOver = (async () => {
    for await (const item of testbed.exec('server', iperf3ServerArgv(5201), left)) {
      if (item.type === 'line' && isListening(item.text)) listening.resolve()
    }
  })()
  await listening.promise
  const performance = performanceOn(testbed)
  const { measurement } = await runBenchmark(await invocation('ipv4', { ...iperf3, omitSeconds: 0 }, 1), performance)
  expect(valueOf(measurement, 'throughput')).toBeGreaterThan(0)
  cancel.abort(reason)
  await expect(leftOver).rejects.toBe(reason)
})

test('cancelled, it ends both sides', async () => {
  const cancel = new AbortController()
  const reason = new Error('cancelled')
  const performance = performanceOn(testbed, cancel.signal, ({ type }) => {
    if (type === 'sample.taken') cancel.abort(reason)
  })
  await expect(runBenchmark(await invocation('ipv4', iperf3, 60), performance)).rejects.toBe(reason)
  expect(everyCommandEnded(performance)).toBe(true)
  expect(descendants(process.pid).map(({ name }) => name)).not.toContain('iperf3')
})

test('a client that fails is reported with its own output, and its server is ended', async () => {
  const performance = performanceOn(testbed)
  const nowhere = { ...(await invocation('ipv4', iperf3, 1)), address: '127.0.0.1' }
  await expect(runBenchmark(nowhere, performance)).rejects.toMatchObject({
    code: 'tool_failed',
    detail: expect.stringContaining('Connection refused'),
  })
  expect(everyCommandEnded(performance)).toBe(true)
})

test('with BIG TCP a packet carries more than 64 KiB', async () => {
  await switchTo(true)
  const { measurement } = await runBenchmark(await invocation('ipv4', iperf3, 2), performanceOn(testbed))
  expect(valueOf(measurement, 'bytesPerPacket')).toBeGreaterThan(LARGEST_LEGACY_PAYLOAD)
})
