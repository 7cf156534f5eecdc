/** How a node that forwards UDP packets to a service behind a NodePort is measured. */
import { z } from 'zod'
import type { Benchmark, BenchmarkKind } from '../../measure/benchmark.ts'
import { familyName, formatCount, type Family } from '../../measure/units.ts'

/** The frame with its Ethernet header, without the checksum at its end. */
const packetBytes = z.number().int().min(64).max(1_514).default(64)

export const newFlowsBenchmark = z.strictObject({ tool: z.literal('new-flows'), packetBytes })

export const newFlows = {
  tool: 'new-flows',
  name: 'New flows',
  does: 'every packet opens a flow, so each passes all the rules',
  schema: newFlowsBenchmark,
  parameters: [
    {
      key: 'packetBytes',
      column: 'packet_bytes',
      axis: { name: 'Packet size', format: (value) => `${formatCount(value)} bytes` },
    },
  ],
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
