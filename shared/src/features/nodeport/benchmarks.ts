/** The ways to measure a node that forwards UDP packets to a service behind a NodePort. */
import { i18n } from '../../base/language.ts'
import { z } from 'zod'
import { defineTool, type Benchmark, type BenchmarkParameter } from '../../measure/benchmark.ts'
import { familyName, formatCount, type Family } from '../../base/units.ts'

/** The frame with its Ethernet header, without the checksum at its end. */
export const packetBytes = z.number().int().min(64).max(1_514).default(64)
/** Fewer than half of the node's 64,512 source ports, which all flows to one backend share. */
export const flows = z.number().int().min(1).max(30_000).default(1)

export const newFlowsBenchmark = z.strictObject({ tool: z.literal('new-flows'), packetBytes })
export const forwardMaxBenchmark = z.strictObject({ tool: z.literal('forward-max'), flows, packetBytes })

/** How often a run is made at most, until one keeps the rule that was fixed beforehand. */
export const ATTEMPTS = 3

export const packetBytesParameter = {
  key: 'packetBytes',
  column: 'packet_bytes',
  axis: { name: /*i18n*/ 'Packet size', format: (value) => i18n.t('{size} bytes', { size: formatCount(value) }) },
} as const satisfies BenchmarkParameter
export const flowsParameter = {
  key: 'flows',
  column: 'flows',
  axis: { name: /*i18n*/ 'Flows', format: formatCount },
} as const satisfies BenchmarkParameter

/** `64 bytes, one flow`. */
export function packetWords(of: { readonly packetBytes: number; readonly flows: number }): string {
  const size = formatCount(of.packetBytes)
  if (of.flows === 1) return i18n.t('{size} bytes, one flow', { size })
  return i18n.t('{size} bytes, {flows} flows', { size, flows: formatCount(of.flows) })
}

export const newFlows = defineTool({
  tool: 'new-flows',
  name: /*i18n*/ 'New flows',
  does: /*i18n*/ 'every packet opens a flow, so each passes all the rules',
  schema: newFlowsBenchmark,
  parameters: [packetBytesParameter],
  compared: ['cpuPerNewFlow', 'cpuPerPacket'],
  figures: ['cpuPerNewFlow', 'cpuPerPacket', 'rulesLoadMs'],
  columns: ['cpuPerNewFlow', 'cpuPerPacket', 'rulesLoadMs', 'lost', 'hookShare', 'elsewhere', 'discarded'],
  brief: ['cpuPerNewFlow', 'cpuPerPacket'],
  live: 'forwardRate',
  caption: /*i18n*/ 'forwarded packets per second',
  note: /*i18n*/ 'CPU time per packet is that of a flow that exists, measured right after. Both include sending and receiving, which take the same for every hook.',
  rule: { words: /*i18n*/ 'A run that loses more than one packet in a thousand is discarded.', counts: 'discarded' },
  describe: (of) => {
    const { data } = newFlowsBenchmark.safeParse(of)
    return data === undefined
      ? null
      : {
          label: i18n.t('Packets'),
          value: i18n.t('{size} bytes', { size: formatCount(data.packetBytes) }),
        }
  },
  usual: { tool: 'new-flows', packetBytes: 64 },
  subject: (_of: Benchmark, family: Family) => i18n.t('new flows over {name}', { name: familyName[family] }),
  freshPods: true,
})

export const forwardMax = defineTool({
  tool: 'forward-max',
  name: /*i18n*/ 'Greatest rate',
  does: /*i18n*/ 'as many packets as one CPU can make, forward and count',
  capability: 'nodeport-rate',
  schema: forwardMaxBenchmark,
  parameters: [flowsParameter, packetBytesParameter],
  // The rate also falls if other programs use the CPU.
  compared: ['cpuPerPacket', 'forwardRate'],
  figures: ['cpuPerPacket', 'forwardRate', 'cpuShare', 'discarded'],
  columns: ['cpuPerPacket', 'forwardRate', 'cpuShare', 'lost', 'hookShare', 'elsewhere', 'discarded'],
  brief: ['cpuPerPacket', 'forwardRate', 'cpuShare'],
  live: 'forwardRate',
  caption: /*i18n*/ 'forwarded packets per second',
  note: `Packets are made, forwarded and counted on one CPU, so its time per packet includes all three. A run that loses a packet is discarded and made again. There are at most ${ATTEMPTS} attempts.`,
  rule: {
    words: `A run that loses a packet is discarded and made again, with at most ${ATTEMPTS} attempts.`,
    counts: 'discarded',
  },
  describe: (of) => {
    const { data } = forwardMaxBenchmark.safeParse(of)
    return data === undefined ? null : { label: i18n.t('Packets'), value: packetWords(data) }
  },
  usual: { tool: 'forward-max', flows: 1, packetBytes: 64 },
  subject: (of: Benchmark, family: Family) => {
    const { data } = forwardMaxBenchmark.safeParse(of)
    const name = familyName[family]
    if (data === undefined) return i18n.t('as many packets as possible over {name}', { name })
    return i18n.t('as many {size}-byte packets as possible over {name}', { size: formatCount(data.packetBytes), name })
  },
  // The hook counts a flow when it begins, which is the proof.
  freshPods: true,
})
