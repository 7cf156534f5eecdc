/** The idle CPU of a node that forwards at a fixed rate, and the rules for runs that count. */
import { z } from 'zod'
import { defineTool, type Benchmark } from '../../measure/benchmark.ts'
import { familyName, type Family } from '../../base/units.ts'
import { flows, flowsParameter, packetBytes, packetBytesParameter, packetWords } from './benchmarks.ts'
import { formatPacketRate } from './metrics.ts'

const rate = z.number().int().min(1_000).max(5_000_000)

export const forwardPacedBenchmark = z.strictObject({ tool: z.literal('forward-paced'), rate, flows, packetBytes })

/**
 * The rules for a run, fixed before the first measurement. Something else used the CPU of the thread, or nearly all of the
 * sender's; or packets that were not forwarded cost no CPU, although there was CPU left.
 */
export const pacedRules = {
  /** A thread that waits for its CPU for this share of the time or longer, in percent. */
  waitingPercent: 10,
  /** A sender that sends less than this share of the packets that were asked for. */
  leastSent: 0.1,
  /** More packets lost than this share of the sent packets. */
  mostLost: 0.05,
  /** Below this, in percent, the thread has no CPU left: a loss is its own limit, and no fault of the run. */
  saturatedIdlePercent: 5,
  /** How often a run is made at most. Other programs' work comes in bursts of a second or two. */
  attempts: 10,
} as const

/** The figures of a run that decide whether it counts. */
export interface PacedRun {
  readonly offered: number
  readonly sent: number
  readonly arrived: number
  readonly idlePercent: number
  readonly waitingPercent: number
}

/** The rule that a run breaks; null if it counts. */
export type BrokenRule = 'waiting' | 'sent' | 'lost'

export function brokenRule({ offered, sent, arrived, idlePercent, waitingPercent }: PacedRun): BrokenRule | null {
  if (waitingPercent >= pacedRules.waitingPercent) return 'waiting'
  if (sent < offered * pacedRules.leastSent) return 'sent'
  const isFaulty = sent - arrived > sent * pacedRules.mostLost && idlePercent >= pacedRules.saturatedIdlePercent
  return isFaulty ? 'lost' : null
}

export const forwardPaced = defineTool({
  tool: 'forward-paced',
  name: 'Fixed rate',
  does: 'packets at a fixed rate, and what they leave of the node’s CPU',
  schema: forwardPacedBenchmark,
  parameters: [
    { key: 'rate', column: 'offered_packets_per_s', axis: { name: 'Offered rate', format: formatPacketRate } },
    flowsParameter,
    packetBytesParameter,
  ],
  compared: ['cpuIdle', 'cpuPerPacket'],
  figures: ['cpuIdle', 'cpuPerPacket', 'discarded'],
  columns: ['cpuIdle', 'cpuPerPacket', 'cpuWaiting', 'forwardRate', 'lost', 'hookShare', 'elsewhere', 'discarded'],
  brief: ['cpuIdle', 'forwardRate'],
  live: 'forwardRate',
  caption: 'packets per second',
  note: 'The node forwards in a kernel thread, whose CPU time is counted by itself. Idle is what this time per packet leaves of a CPU at the offered rate.',
  rule: {
    words: `A run is discarded and made again, with at most ${pacedRules.attempts} attempts, if the thread that forwards waited for its CPU for ${pacedRules.waitingPercent} % of the time, if less than ${pacedRules.leastSent * 100} % of the packets were sent, or if more than ${pacedRules.mostLost * 100} % of the packets were lost while the thread had time.`,
    counts: 'discarded',
  },
  describe: (of) => {
    const { data } = forwardPacedBenchmark.safeParse(of)
    return data === undefined
      ? null
      : { label: 'Offered', value: `${formatPacketRate(data.rate)}, ${packetWords(data)}` }
  },
  usual: { tool: 'forward-paced', rate: 500_000, flows: 1, packetBytes: 64 },
  subject: (of: Benchmark, family: Family) => {
    const { data } = forwardPacedBenchmark.safeParse(of)
    return `${data === undefined ? 'a fixed rate' : formatPacketRate(data.rate)} over ${familyName[family]}`
  },
  // The hook counts a flow when it begins, which is the proof.
  freshPods: true,
  capability: 'nodeport-thread',
})
