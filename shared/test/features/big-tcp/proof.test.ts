/** The packet counts that prove a limit. */
import { measurement, type Measurement } from '../../../src/measure/measurement.ts'
import { datapathState, reading, type DatapathState } from '../../../src/testbed/reading.ts'
import { expect, test } from 'vitest'
import { proof } from '../../../src/features/big-tcp/proof.ts'
import { proofOf } from '../../../src/features/settings.ts'
import { benchmark, type Benchmark } from '../../../src/measure/benchmark.ts'
import type { Observation } from '../../../src/base/observation.ts'

const sizes = { gsoMaxSize: null, groMaxSize: null, gsoIpv4MaxSize: null, groIpv4MaxSize: null, tsoMaxSize: null }
const pod = reading.parse({
  ...sizes,
  device: 'eth0',
  mtu: 1500,
  counters: null,
  where: 'pod1',
  role: 'pod',
  native: false,
})
const state: DatapathState = datapathState.parse({
  at: 1,
  settings: { 'big-tcp-ipv4': true, 'big-tcp-ipv6': false },
  agents: null,
  kernel: [pod],
  placement: null,
})

const taken = { arm: 'on', family: 'ipv4', startedAt: 1, elapsedSeconds: 1 }

/** Runs whose requests took so many packets each, over IPv4. */
function runsOf(requestBytes: number, ...perRequest: number[]): Measurement[] {
  return runsWith({}, requestBytes, ...perRequest)
}

function runsWith(values: Record<string, number>, requestBytes: number, ...perRequest: number[]): Measurement[] {
  return perRequest.map((packets, index) =>
    measurement.parse({
      ...taken,
      repeat: index + 1,
      benchmark: requests(requestBytes),
      values: { ...values, packetsPerRequest: packets, packetsPerResponse: packets },
    }),
  )
}

const requests = (size: number): Benchmark =>
  benchmark.parse({ tool: 'tcp-rr', requestBytes: size, responseBytes: size })
const stream = benchmark.parse({ tool: 'iperf3' })

/** The observations under a limit; null for a limit that the devices do not report. */
function observed(of: Benchmark, measurements: readonly Measurement[], limit: number | null): Observation[] {
  const settings = { 'big-tcp-ipv4': limit !== 65_536, 'size-limit': limit === 65_536 ? null : limit }
  return proof({ settings, benchmark: of, family: 'ipv4', measurements, datapath: state })
}

/** Does the median of these packets prove the limit, and which number was expected? */
function proves(requestBytes: number, limit: number, ...perRequest: number[]): [boolean | undefined, string | null] {
  const [request] = observed(requests(requestBytes), runsOf(requestBytes, ...perRequest), limit)
  return [request?.ok, request?.expected ?? null]
}

test.each([
  // The classic pair: exactly one packet proves BIG TCP.
  [80_000, 65_536, 2.01, true, 'about 2'],
  [80_000, 196_608, 1.01, true, 'about 1'],
  [80_000, 196_608, 2, false, 'about 1'],
  [80_000, 65_536, 1, false, 'about 2'],
  [160_000, 196_608, 2, false, 'about 1'],
  // Half of a window that stopped growing cuts a large request once, and no more.
  [500_000, 524_280, 1, true, 'about 1 to 2'],
  [500_000, 524_280, 2.05, true, 'about 1 to 2'],
  [500_000, 524_280, 3, false, 'about 1 to 2'],
  [500_000, 262_144, 2.01, true, 'about 2'],
  [500_000, 262_144, 1, false, 'about 2'],
  // Packets that were sent again or that GRO glued together change the number a little; a whole packet is another limit.
  [500_000, 65_536, 8.35, true, 'about 8'],
  [500_000, 65_536, 7.7, true, 'about 8'],
  [500_000, 65_536, 9, false, 'about 8'],
  [500_000, 65_536, 4, false, 'about 8'],
])('requests of %d bytes under %d that take %d packets: %s', (size, limit, seen, ok, expected) => {
  expect(proves(size, limit, seen)).toEqual([ok, expected])
})

// The counted machine makes 34 transactions of 500,000 bytes in a second (measured: 4.40, 3.40, 2.42, 8.41).
test.each([
  [34, 131_072, 4.44, true],
  [34, 196_608, 3.43, true],
  [34, 262_144, 2.44, true],
  [34, 65_536, 8.41, true],
  [34, 196_608, 4, false],
  [34, 262_144, 1.7, false],
  [3, 262_144, 3, false],
  [10_000, 131_072, 4.4, false],
])(
  '%d transactions of 500,000 bytes, their slow start among them, under %d bytes in %d packets: %s',
  (tps, limit, seen, ok) => {
    const of = requests(500_000)
    expect(observed(of, runsWith({ tps }, 500_000, seen), limit).map((one) => one.ok)).toEqual([ok, ok])
  },
)

// On a machine so busy that one transaction waited for a second: 14 transactions and netperf's control connection (measured).
test.each([
  [14, 1.43, true],
  [1000, 1.43, false],
  [14, 2, false],
])('%d transactions of one byte, in %d packets each: %s', (tps, seen, ok) => {
  const found = observed(requests(1), runsWith({ tps }, 1, seen), 65_536)
  expect(found.map((one) => one.ok)).toEqual([ok, ok])
})

test('the median run decides, and no runs prove nothing', () => {
  expect(proves(80_000, 196_608, 1, 1.01, 1.9)[0]).toBe(true)
  expect(observed(requests(80_000), [], 196_608).every(({ ok }) => ok)).toBe(false)
  expect(observed(requests(80_000), runsOf(80_000, 1), null).map(({ expected }) => expected)).toEqual([
    'unknown',
    'unknown',
  ])
})

/** Streams whose packets carried so much each. */
function streamsOf(...carried: (number | null)[]): Measurement[] {
  return carried.map((bytesPerPacket, index) =>
    measurement.parse({ ...taken, repeat: index + 1, benchmark: stream, values: { bytesPerPacket } }),
  )
}

test.each([
  [65_536, [64_000, 65_160, 70_000], true, '65,160 bytes'],
  [65_536, [64_000, 100_000, 180_000], false, '100,000 bytes'],
  [196_608, [180_000, null], true, '180,000 bytes'],
  [196_608, [null], false, 'unknown'],
  [null, [1000], false, '1,000 bytes'],
])('a stream under %s whose packets carried %j: %s', (limit, carried, ok, seen) => {
  expect(observed(stream, streamsOf(...carried), limit)).toMatchObject([{ ok, seen }])
})

test('a tool that the feature does not know proves nothing and refutes nothing', () => {
  const unknown = benchmark.parse({ tool: 'segment-probe' })
  const settings = { 'big-tcp-ipv4': true }
  expect(proofOf({ settings, benchmark: unknown, family: 'ipv4', measurements: [], datapath: state })).toEqual([])
  expect(proofOf({ settings, benchmark: stream, family: 'ipv4', measurements: [], datapath: state })).toHaveLength(1)
})
