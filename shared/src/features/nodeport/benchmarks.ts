/** Three ways to measure a node that forwards UDP packets to a service behind a NodePort. */
import { z } from 'zod'
import type { Benchmark, BenchmarkKind } from '../../measure/benchmark.ts'
import { familyName, formatCount, type Family } from '../../measure/units.ts'
import { formatPacketRate } from './metrics.ts'

const flows = z.number().int().min(1).max(60_000).default(1)
/** The frame with its Ethernet header, without the checksum at its end. */
const packetBytes = z.number().int().min(64).max(1_514).default(64)
const rate = z.number().int().min(1_000).max(5_000_000)

export const forwardMaxBenchmark = z.strictObject({ tool: z.literal('forward-max'), flows, packetBytes })
export const forwardPacedBenchmark = z.strictObject({ tool: z.literal('forward-paced'), rate, flows, packetBytes })
export const newFlowsBenchmark = z.strictObject({ tool: z.literal('new-flows'), packetBytes })

/**
 * A paced run in which the forwarding thread waits for its CPU this share of the time, in percent, or longer is
 * discarded: something else used the CPU, and the idle time is not the forwarder's.
 */
export const MOST_WAITING_PERCENT = 10
/** Attempts at a run, until one is not discarded. */
export const ATTEMPTS = 3

const parameters = [
  { key: 'flows', column: 'flows' },
  { key: 'packetBytes', column: 'packet_bytes' },
]

function flowWords(count: number): string {
  return count === 1 ? 'one flow' : `${formatCount(count)} flows`
}

export const forwardMax = {
  tool: 'forward-max',
  name: 'Greatest rate',
  does: 'as many packets as one CPU can send, forward and receive',
  schema: forwardMaxBenchmark,
  parameters,
  compared: ['cpuPerPacket', 'forwardRate'],
  charts: [['cpuPerPacket'], ['forwardRate']],
  beside: ['cpuPerPacket', 'forwardRate'],
  figures: ['cpuPerPacket', 'forwardRate', 'lost', 'discarded'],
  columns: ['cpuPerPacket', 'forwardRate', 'lost', 'hookShare', 'elsewhere', 'discarded'],
  brief: ['cpuPerPacket', 'forwardRate'],
  live: 'forwardRate',
  caption: 'forwarded packets per second',
  sampled: [],
  note: `Sending, forwarding and receiving happen on one CPU, so its time per packet includes all three. A run that loses a packet is discarded and made again, at most ${ATTEMPTS} times.`,
  describe: (of) => {
    const { data } = forwardMaxBenchmark.safeParse(of)
    if (data === undefined) return null
    return { label: 'Packets', value: `${formatCount(data.packetBytes)} bytes, ${flowWords(data.flows)}` }
  },
  usual: { tool: 'forward-max', flows: 1, packetBytes: 64 },
  subject: (of: Benchmark, family: Family) => {
    const { data } = forwardMaxBenchmark.safeParse(of)
    const size = data === undefined ? 'packets' : `${formatCount(data.packetBytes)}-byte packets`
    return `${size} at the greatest rate over ${familyName[family]}`
  },
  wholeSeconds: false,
  capability: null,
} as const satisfies BenchmarkKind

export const forwardPaced = {
  tool: 'forward-paced',
  name: 'Offered rate',
  does: 'a fixed rate, and what it leaves of the CPU that forwards',
  schema: forwardPacedBenchmark,
  parameters: [
    { key: 'rate', column: 'offered_packets_per_s', axis: { name: 'Offered rate', format: formatPacketRate } },
    ...parameters,
  ],
  compared: ['cpuIdle', 'forwardRate'],
  charts: [['cpuIdle'], ['forwardRate']],
  beside: ['cpuIdle', 'cpuWaiting', 'forwardRate'],
  figures: ['cpuIdle', 'cpuWaiting', 'forwardRate', 'discarded'],
  columns: ['cpuIdle', 'cpuWaiting', 'forwardRate', 'lost', 'hookShare', 'elsewhere', 'discarded'],
  brief: ['cpuIdle', 'forwardRate'],
  live: 'forwardRate',
  caption: 'forwarded packets per second',
  sampled: [],
  note: `A run is discarded and made again, at most ${ATTEMPTS} times, if the forwarding thread waited for its CPU for ${MOST_WAITING_PERCENT} % of the time or longer, or if a packet was lost.`,
  describe: (of) => {
    const { data } = forwardPacedBenchmark.safeParse(of)
    if (data === undefined) return null
    const packets = `${formatCount(data.packetBytes)} bytes, ${flowWords(data.flows)}`
    return { label: 'Offered', value: `${formatPacketRate(data.rate)}, ${packets}` }
  },
  usual: { tool: 'forward-paced', rate: 250_000, flows: 1, packetBytes: 64 },
  subject: (of: Benchmark, family: Family) => {
    const { data } = forwardPacedBenchmark.safeParse(of)
    return `${data === undefined ? 'a fixed rate' : formatPacketRate(data.rate)} over ${familyName[family]}`
  },
  wholeSeconds: false,
  capability: null,
} as const satisfies BenchmarkKind

export const newFlows = {
  tool: 'new-flows',
  name: 'New flows',
  does: 'every packet opens a flow, so each passes all the rules',
  schema: newFlowsBenchmark,
  parameters: [{ key: 'packetBytes', column: 'packet_bytes' }],
  compared: ['cpuPerNewFlow', 'cpuPerPacket'],
  charts: [['cpuPerNewFlow'], ['cpuPerPacket']],
  beside: ['cpuPerNewFlow', 'cpuPerPacket'],
  figures: ['cpuPerNewFlow', 'cpuPerPacket', 'rulesLoadMs'],
  columns: ['cpuPerNewFlow', 'cpuPerPacket', 'rulesLoadMs', 'lost', 'hookShare', 'elsewhere', 'discarded'],
  brief: ['cpuPerNewFlow', 'cpuPerPacket'],
  live: 'forwardRate',
  caption: 'forwarded packets per second',
  sampled: [],
  note: 'CPU time per packet is that of a flow that exists, measured right after. Both include sending and receiving, which take the same for every hook.',
  describe: (of) => {
    const { data } = newFlowsBenchmark.safeParse(of)
    return data === undefined ? null : { label: 'Packets', value: `${formatCount(data.packetBytes)} bytes` }
  },
  usual: { tool: 'new-flows', packetBytes: 64 },
  subject: (_of: Benchmark, family: Family) => `new flows over ${familyName[family]}`,
  wholeSeconds: false,
  freshPods: true,
  capability: null,
} as const satisfies BenchmarkKind
