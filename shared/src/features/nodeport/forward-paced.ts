/** The idle CPU of a node that forwards at a fixed rate, and the rules for runs that count. */
import { i18n } from '../../base/language.ts'
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
  name: /*i18n*/ 'Fixed rate',
  does: /*i18n*/ 'packets at a fixed rate, and what they leave of the node’s CPU',
  schema: forwardPacedBenchmark,
  parameters: [
    { key: 'rate', column: 'offered_packets_per_s', axis: { name: /*i18n*/ 'Offered rate', format: formatPacketRate } },
    flowsParameter,
    packetBytesParameter,
  ],
  compared: ['cpuIdle', 'cpuPerPacket'],
  figures: ['cpuIdle', 'cpuPerPacket', 'discarded'],
  columns: ['cpuIdle', 'cpuPerPacket', 'cpuWaiting', 'forwardRate', 'lost', 'hookShare', 'elsewhere', 'discarded'],
  brief: ['cpuIdle', 'forwardRate'],
  live: 'forwardRate',
  caption: /*i18n*/ 'packets per second',
  note: /*i18n*/ 'The node forwards in a kernel thread, whose CPU time is counted by itself. Idle is what this time per packet leaves of a CPU at the offered rate.',
  rule: {
    words: `A run is discarded and made again, with at most ${pacedRules.attempts} attempts, if the thread that forwards waited for its CPU for ${pacedRules.waitingPercent} % of the time, if less than ${pacedRules.leastSent * 100} % of the packets were sent, or if more than ${pacedRules.mostLost * 100} % of the packets were lost while the thread had time.`,
    counts: 'discarded',
  },
  describe: (of) => {
    const { data } = forwardPacedBenchmark.safeParse(of)
    return data === undefined
      ? null
      : { label: i18n.t('Offered'), value: `${formatPacketRate(data.rate)}, ${packetWords(data)}` }
  },
  usual: { tool: 'forward-paced', rate: 500_000, flows: 1, packetBytes: 64 },
  subject: (of: Benchmark, family: Family) => {
    const { data } = forwardPacedBenchmark.safeParse(of)
    const name = familyName[family]
    if (data === undefined) return i18n.t('a fixed rate over {name}', { name })
    return i18n.t('{rate} over {name}', { rate: formatPacketRate(data.rate), name })
  },
  // The hook counts a flow when it begins, which is the proof.
  freshPods: true,
  capability: 'nodeport-thread',
})
