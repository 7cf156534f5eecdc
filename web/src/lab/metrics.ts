/** What is compared, by name and as people read it. Pure. */
import type { ComparedMetric } from '@expresslane/shared/compare'
import { formatBitRate, formatCount, formatLatency } from '@expresslane/shared/units'

export const metricName: Record<ComparedMetric, string> = {
  tps: 'Transactions a second',
  throughput: 'Throughput',
  min: 'Smallest latency',
  mean: 'Mean latency',
  p50: 'p50 latency',
  p90: 'p90 latency',
  p99: 'p99 latency',
  packetsPerRequest: 'Packets a request',
  bytesPerPacket: 'Payload a packet',
  cpuSecondsPerGigabit: 'CPU time a gigabit',
}

/** After a figure: `+23.1 % TPS`. */
export const metricShort: Record<ComparedMetric, string> = {
  ...metricName,
  tps: 'TPS',
  throughput: 'throughput',
}

/** A value of a metric with its unit; TPS has it in its name. */
export function formatMetric(metric: ComparedMetric, value: number): string {
  switch (metric) {
    case 'tps':
      return formatCount(value)
    case 'throughput':
      return formatBitRate(value)
    case 'packetsPerRequest':
      return value.toFixed(2)
    case 'bytesPerPacket':
      return `${formatCount(value)} B`
    case 'cpuSecondsPerGigabit':
      return `${(value * 1000).toFixed(1)} ms`
    case 'min':
    case 'mean':
    case 'p50':
    case 'p90':
    case 'p99':
      return formatLatency(value)
  }
}
