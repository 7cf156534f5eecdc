/** The metrics of the common benchmarks, and a stand-in for an unknown metric. */
import { i18n } from '../base/language.ts'
import { formatInstructions } from './clock.ts'
import { inInstructions, perInstructions } from './counted-form.ts'
import { defineMetric } from './define-metric.ts'
import type { Metric, MetricId } from './metrics.ts'
import { formatBitRate, formatCount, formatFixed, formatLatency, formatTps } from '../base/units.ts'

/** netperf prints the smallest latency in whole microseconds. */
const WHOLE_MICROSECOND = 1
/** A stray packet among thousands of requests does not count. */
const HUNDREDTH_PACKET = 0.01

const PACKET_COUNTERS = /*i18n*/ 'the packet and TCP counters of both pods, before and after'

/**
 * Width of the bucket of netperf's histogram that a latency falls into: 1 µs up to 99 µs, 10 µs up to 999 µs, 100 µs up to
 * 9.9 ms, and so on: two digits. P50, P90 and P99 come from it.
 *
 * @param micros of the latency @returns µs
 */
export function histogramBucket(micros: number): number {
  return micros < 100 ? 1 : 10 ** (Math.floor(Math.log10(micros)) - 1)
}

function latency(id: string, noun: string, name: string, step?: Metric['step']): Metric {
  return defineMetric({
    id,
    name: `Latency, ${name}`,
    short: id,
    noun,
    type: 'time',
    unit: 'µs',
    counted: inInstructions(1, null, {
      name: `Latency in instructions, ${name}`,
      short: id,
      head: `${id}, instructions`,
      noun: `${noun} in instructions`,
      title: 'Latency in thousand instructions',
      thousands: true,
      say: (value) => `${i18n.t(id)} ${formatInstructions(value)}`,
      column: `latency_${id}_instructions`,
    }),
    format: formatLatency,
    axis: { title: 'Latency in µs', unit: 'µs', divisor: 1 },
    ...(step && { step }),
    column: `latency_${id}_us`,
    source: 'netperf',
  })
}

/** Packets or acknowledgements for each request, response or transaction. */
function packets(id: string, name: string, over: Partial<Metric> = {}): Metric {
  return defineMetric({
    id,
    name,
    type: 'mean',
    unit: 'packets',
    source: PACKET_COUNTERS,
    step: () => HUNDREDTH_PACKET,
    ...over,
  })
}

/** The metrics of the common benchmarks, in the order of the CSV report's columns. A feature or a tool can add its own. */
export const commonMetrics: readonly Metric[] = [
  defineMetric({
    id: 'tps',
    name: 'Transactions',
    short: 'TPS',
    noun: 'TPS',
    type: 'rate',
    unit: 'transactions/s',
    counted: perInstructions('billion', 'transactions', 'transactions_per_billion_instructions'),
    format: formatTps,
    cell: formatCount,
    axis: { title: 'TPS', unit: 'TPS', divisor: 1 },
    column: 'transactions_per_s',
    source: 'netperf',
  }),
  defineMetric({
    id: 'throughput',
    name: 'Throughput, one way',
    short: 'Throughput',
    noun: 'throughput',
    type: 'rate',
    unit: 'bit/s',
    counted: perInstructions('thousand', 'bytes', 'throughput_bytes_per_thousand_instructions', 1 / 8),
    format: formatBitRate,
    axis: { title: 'Gbit/s', unit: 'Gbit/s', divisor: 1e9 },
    column: 'throughput_bit_per_s',
    source: /*i18n*/ 'the tool; for requests and responses, transactions times the size of a request',
  }),
  latency('min', 'the smallest latency', 'lowest', () => WHOLE_MICROSECOND),
  latency('mean', 'the mean latency', 'mean'),
  latency('p50', 'the p50 latency', 'p50', histogramBucket),
  latency('p90', 'the p90 latency', 'p90', histogramBucket),
  latency('p99', 'the p99 latency', 'p99', histogramBucket),
  latency('max', 'the largest latency', 'highest'),
  latency('stddev', 'the standard deviation of the latency', 'standard deviation'),
  packets('packetsPerRequest', 'Packets per request'),
  packets('packetsPerResponse', 'Packets per response'),
  packets('acks', 'Acknowledgements per transaction', { column: 'acks_per_transaction' }),
  defineMetric({
    id: 'bytesPerPacket',
    name: 'Bytes per packet',
    short: 'Payload per packet',
    type: 'size',
    unit: /*i18n*/ 'bytes',
    words: { more: 'larger packets', less: 'smaller packets' },
    say: (value) => i18n.t('{count} bytes per packet', { count: formatCount(value) }),
    axis: { title: 'Payload per packet in kB', unit: 'kB', divisor: 1e3 },
    column: 'payload_bytes_per_packet',
    source: PACKET_COUNTERS,
  }),
  defineMetric({
    id: 'cpuSecondsPerGigabit',
    name: 'CPU time per gigabit',
    type: 'cpu',
    unit: 's',
    format: (value) => `${formatFixed(value * 1000, 1)} ms`,
    axis: { title: 'CPU ms per gigabit', unit: 'ms', divisor: 1e-3 },
    source: /*i18n*/ '/proc/stat of both pods’ machines, before and after; other work on them is included',
  }),
  defineMetric({
    id: 'retransmits',
    name: 'Retransmitted segments',
    short: 'Retransmits',
    type: 'count',
    unit: 'segments',
    say: (value) =>
      value === 1
        ? i18n.t('1 retransmitted segment')
        : i18n.t('{count} retransmitted segments', { count: formatCount(value) }),
    source: /*i18n*/ 'the tool',
  }),
  defineMetric({
    id: 'cwnd',
    name: 'Congestion window',
    short: 'Window (cwnd)',
    noun: 'the congestion window',
    type: 'size',
    unit: 'bytes',
    words: { more: 'a larger window', less: 'a smaller window' },
    format: (value) => `${formatCount(value / 1024)}K`,
    say: (value) => i18n.t('a window of {size}', { size: `${formatCount(value / 1024)}K` }),
    axis: { title: 'Congestion window in KiB', unit: 'KiB', divisor: 1024 },
    column: null,
    source: 'iperf3',
  }),
]

/** A metric that this version does not have. Its values are shown unchanged. */
export function unknownMetric(id: MetricId): Metric {
  const format = (value: number): string => String(Number(value.toPrecision(6)))
  const words = { more: 'more', less: 'less' }
  return defineMetric({
    id,
    name: id,
    type: 'count',
    unit: '',
    words,
    format,
    say: (value) => `${id} ${format(value)}`,
    column: id,
    source: /*i18n*/ 'unknown',
  })
}
