/** Measurements, samples and comparisons of earlier versions in the shape of today. */
import { expect, test } from 'vitest'
import { compareArms } from '../../src/compare/compare.ts'
import { runEvent } from '../../src/run/events.ts'
import { upgradeEvent, upgradeRunResult } from '../../src/recordings/upgrade.ts'
import { measured } from '../builders.ts'

const common = { arm: 'on', caseId: 's', family: 'ipv4', repeat: 2, warmup: false, startedAt: 1, elapsedSeconds: 1 }
const latency = { min: 1, mean: 2, p50: 3, p90: 4, p99: 5, max: 6, stddev: 0.5 }

test('a request/response measurement keeps every figure, and what was unknown stays unknown', () => {
  const sizes = { requestBytes: 80_000, responseBytes: 1 }
  const old = {
    ...common,
    tool: 'tcp-rr',
    ...sizes,
    tps: 10,
    throughput: 20,
    latency,
    retransmits: null,
    packets: null,
  }
  const event = runEvent.parse(upgradeEvent({ type: 'measurement.taken', measurement: { ...old, fingerprint: null } }))
  const packets = { packetsPerRequest: null, packetsPerResponse: null, acks: null }
  expect(event).toEqual({
    type: 'measurement.taken',
    measurement: {
      ...common,
      benchmark: { tool: 'tcp-rr', ...sizes },
      values: { tps: 10, throughput: 20, ...latency, ...packets, retransmits: null },
      fingerprint: null,
    },
  })
  expect(upgradeEvent(event)).toEqual(event)
})

test('a stream has no figures that its tool does not measure', () => {
  const figures = { throughput: 20, retransmits: 1, bytesPerPacket: 3, cpuSecondsPerGigabit: null }
  const old = { ...common, tool: 'iperf3', ...figures, fingerprint: null }
  expect(runEvent.parse(upgradeEvent({ type: 'measurement.taken', measurement: old }))).toMatchObject({
    measurement: { benchmark: { tool: 'iperf3' }, values: figures },
  })
})

test('samples of requests and intervals of streams are one event', () => {
  const at = { atSeconds: 1, seconds: 1, omitted: true }
  const interval = { ...at, bitsPerSecond: 5, retransmits: null, cwnd: 7 }
  const stream = runEvent.parse(upgradeEvent({ type: 'interval.taken', repeat: 3, interval }))
  const values = { throughput: 5, retransmits: null, cwnd: 7 }
  expect(stream).toEqual({ type: 'sample.taken', repeat: 3, sample: { ...at, values } })
  const requests = runEvent.parse(upgradeEvent({ type: 'sample.taken', repeat: 1, atSeconds: 0.2, tps: 9 }))
  const sample = { atSeconds: 0.2, seconds: null, omitted: false, values: { tps: 9 } }
  expect(requests).toEqual({ type: 'sample.taken', repeat: 1, sample })
  expect([stream, requests].map(upgradeEvent)).toEqual([stream, requests])
})

test('a summary of a run keeps its medians by metric', () => {
  const rest = { family: 'ipv4', repeats: 2 }
  const medians = { medianTps: 10, medianThroughput: null, medianP99: 5, packetsPerRequest: null }
  const result = { passed: true, problem: null }
  const values = { tps: 10, p99: 5, packetsPerRequest: null, throughput: null }
  const requests = { ...result, measured: { ...rest, arms: ['off'], tool: 'tcp-rr', values } }
  expect(upgradeRunResult({ ...result, measured: { ...rest, arms: ['off'], ...medians } })).toEqual(requests)
  const none = { medianTps: null, medianThroughput: null, medianP99: null, packetsPerRequest: null }
  expect(upgradeRunResult({ ...result, measured: { ...rest, arms: ['off', 'on'], ...none } })).toEqual({
    ...result,
    measured: { ...rest, arms: ['off', 'on'], tool: null, values: {} },
  })
  expect(upgradeRunResult(requests)).toEqual(requests)
})

test('comparisons that were judged by themselves say so, and only the first row is a verdict', () => {
  const taken = [1, 2, 3, 4].map((tps) => measured({ values: { tps, p99: 5, packetsPerRequest: 1 }, repeat: tps }))
  const now = compareArms(taken, taken)
  if (now === null) throw new Error('no comparison')
  const { control: _control, rows, ...rest } = now
  const before = { ...rest, rows: rows.map(({ role: _role, adjustedP: _adjustedP, ...row }) => row) }
  const of = (comparison: unknown) => ({ caseId: 'rr', arm: 'on', against: 'off', comparison })
  const event = runEvent.parse(upgradeEvent({ type: 'cases.compared', comparisons: [of(before), of(before)] }))
  const upgraded = { ...now, control: { method: 'none', comparisons: 2 } }
  expect(event).toEqual({ type: 'cases.compared', comparisons: [of(upgraded), of(upgraded)] })
  const roleOf = (metric: string) => rows.find((row) => row.metric === metric)?.role
  expect(['tps', 'p99', 'packetsPerRequest'].map(roleOf)).toEqual(['verdict', 'exploratory', 'explains'])
  expect(upgradeEvent(event)).toEqual(event)
})
