/** What a metric is to a comparison: which way is better, how finely it is told, and how people say it. */
import type { ComparedMetric, ComparedRow } from '../compare/compare.ts'
import { histogramBucket } from '../compare/stats/resolution.ts'
import { formatBitRate, formatCount, formatLatency, formatTps } from './units.ts'

interface Metric {
  /** Within a sentence. */
  readonly noun: string
  readonly better: ComparedRow['better']
  /** What more of it is, and less. */
  readonly words: { readonly more: string; readonly less: string }
  readonly format: (value: number) => string
  /** The tool's own steps at a value; null where they are finer than any noise. */
  readonly step: (value: number) => number | null
}

/** netperf prints the smallest latency in whole microseconds. */
const WHOLE_MICROSECOND = 1
/** A stray packet more or less in some thousand requests is none of theirs. */
const HUNDREDTH_PACKET = 0.01

const faster = { more: 'faster', less: 'slower' }

function latency(noun: string, step: Metric['step']): Metric {
  return { noun, better: 'less', words: { more: 'longer', less: 'shorter' }, format: formatLatency, step }
}

export const metrics: Readonly<Record<ComparedMetric, Metric>> = {
  tps: { noun: 'TPS', better: 'more', words: faster, format: formatTps, step: () => null },
  throughput: { noun: 'throughput', better: 'more', words: faster, format: formatBitRate, step: () => null },
  min: latency('the smallest latency', () => WHOLE_MICROSECOND),
  mean: latency('the mean latency', () => null),
  p50: latency('the p50 latency', histogramBucket),
  p90: latency('the p90 latency', histogramBucket),
  p99: latency('the p99 latency', histogramBucket),
  packetsPerRequest: {
    noun: 'packets a request',
    better: 'neither',
    words: { more: 'more packets', less: 'fewer packets' },
    format: (value) => `${value.toFixed(2)} packets a request`,
    step: () => HUNDREDTH_PACKET,
  },
  bytesPerPacket: {
    noun: 'bytes a packet',
    better: 'neither',
    words: { more: 'larger packets', less: 'smaller packets' },
    format: (value) => `${formatCount(value)} bytes a packet`,
    step: () => null,
  },
  cpuSecondsPerGigabit: {
    noun: 'CPU time a gigabit',
    better: 'less',
    words: { more: 'more CPU', less: 'less CPU' },
    format: (value) => `${(value * 1000).toFixed(1)} ms of CPU a gigabit`,
    step: () => null,
  },
}
