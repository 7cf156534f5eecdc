/** The metrics of the common benchmarks, and what stands for an unknown one. */
import type { Metric, MetricId } from './metrics.ts'
import { formatInstructions } from './clock.ts'
import { inInstructions, perInstructions } from './counted-form.ts'
import { histogramBucket } from './resolution.ts'
import { formatBitRate, formatCount, formatLatency, formatTps } from '../base/units.ts'

/** netperf prints the smallest latency in whole microseconds. */
const WHOLE_MICROSECOND = 1
/** A stray packet among thousands of requests does not count. */
const HUNDREDTH_PACKET = 0.01

const faster = { more: 'faster', less: 'slower' }
const none = (): null => null

function latency(id: string, noun: string, name: string, step: Metric['step']): Metric {
  return {
    id,
    name: `Latency, ${name}`,
    short: id,
    noun,
    unit: 'µs',
    better: 'less',
    counted: inInstructions(1, null, {
      name: `Latency in instructions, ${name}`,
      short: id,
      head: `${id}, instructions`,
      noun: `${noun} in instructions`,
      title: 'Latency in thousand instructions',
      thousands: true,
      say: (value) => `${id} ${formatInstructions(value)}`,
      column: `latency_${id}_instructions`,
    }),
    words: { more: 'longer', less: 'shorter' },
    format: formatLatency,
    say: (value) => `${id} ${formatLatency(value)}`,
    axis: { title: 'Latency in µs', unit: 'µs', divisor: 1 },
    step,
    column: `latency_${id}_us`,
    source: 'netperf',
  }
}

function packets(id: string, of: string, column: string, words: Metric['words']): Metric {
  const say = (value: number): string => `${value.toFixed(2)} ${of}`
  const name = `${of.charAt(0).toUpperCase()}${of.slice(1)}`
  return {
    id,
    name,
    short: name,
    noun: of,
    unit: 'packets',
    better: 'neither',
    counted: 'same',
    words,
    format: (value) => value.toFixed(2),
    say,
    axis: { title: name, unit: 'packets', divisor: 1 },
    step: () => HUNDREDTH_PACKET,
    column,
    source: 'the packet and TCP counters of both pods, before and after',
  }
}

const morePackets = { more: 'more packets', less: 'fewer packets' }

/** The metrics of the common benchmarks, in the order of the CSV report's columns. A feature can add its own. */
export const commonMetrics = [
  {
    id: 'tps',
    name: 'Transactions',
    short: 'TPS',
    noun: 'TPS',
    unit: 'transactions/s',
    better: 'more',
    counted: perInstructions('billion', 'transactions', 'transactions_per_billion_instructions'),
    words: faster,
    format: formatTps,
    cell: formatCount,
    say: formatTps,
    axis: { title: 'TPS', unit: 'TPS', divisor: 1 },
    step: none,
    column: 'transactions_per_s',
    source: 'netperf',
  },
  {
    id: 'throughput',
    name: 'Throughput, one way',
    short: 'Throughput',
    noun: 'throughput',
    unit: 'bit/s',
    better: 'more',
    counted: perInstructions('thousand', 'bytes', 'throughput_bytes_per_thousand_instructions', 1 / 8),
    words: faster,
    format: formatBitRate,
    say: formatBitRate,
    axis: { title: 'Gbit/s', unit: 'Gbit/s', divisor: 1e9 },
    step: none,
    column: 'throughput_bit_per_s',
    source: 'the tool; for requests and responses, transactions times the size of a request',
  },
  latency('min', 'the smallest latency', 'lowest', () => WHOLE_MICROSECOND),
  latency('mean', 'the mean latency', 'mean', none),
  latency('p50', 'the p50 latency', 'p50', histogramBucket),
  latency('p90', 'the p90 latency', 'p90', histogramBucket),
  latency('p99', 'the p99 latency', 'p99', histogramBucket),
  latency('max', 'the largest latency', 'highest', none),
  latency('stddev', 'the standard deviation of the latency', 'standard deviation', none),
  packets('packetsPerRequest', 'packets per request', 'packets_per_request', morePackets),
  packets('packetsPerResponse', 'packets per response', 'packets_per_response', morePackets),
  packets('acks', 'acknowledgements per transaction', 'acks_per_transaction', {
    more: 'more acknowledgements',
    less: 'fewer acknowledgements',
  }),
  {
    id: 'bytesPerPacket',
    name: 'Bytes per packet',
    short: 'Payload per packet',
    noun: 'bytes per packet',
    unit: 'bytes',
    better: 'neither',
    counted: 'same',
    words: { more: 'larger packets', less: 'smaller packets' },
    format: (value) => `${formatCount(value)} bytes`,
    say: (value) => `${formatCount(value)} bytes per packet`,
    axis: { title: 'Payload per packet in kB', unit: 'kB', divisor: 1e3 },
    step: none,
    column: 'payload_bytes_per_packet',
    source: 'the packet and TCP counters of both pods, before and after',
  },
  {
    id: 'cpuSecondsPerGigabit',
    name: 'CPU time per gigabit',
    short: 'CPU time per gigabit',
    noun: 'CPU time per gigabit',
    unit: 's',
    better: 'less',
    counted: inInstructions(1e6, 'per gigabit', {
      name: 'Instructions per gigabit',
      short: 'Instructions per gigabit',
      noun: 'instructions per gigabit',
      title: 'Instructions per gigabit, in thousands',
      thousands: true,
      column: 'cpu_instructions_per_gigabit',
    }),
    words: { more: 'more CPU', less: 'less CPU' },
    format: (value) => `${(value * 1000).toFixed(1)} ms`,
    say: (value) => `${(value * 1000).toFixed(1)} ms of CPU per gigabit`,
    axis: { title: 'CPU ms per gigabit', unit: 'ms', divisor: 1e-3 },
    step: none,
    column: 'cpu_s_per_gigabit',
    source: '/proc/stat of both pods’ machines, before and after; other work on them is included',
  },
  {
    id: 'retransmits',
    name: 'Retransmitted segments',
    short: 'Retransmits',
    noun: 'retransmitted segments',
    unit: 'segments',
    better: 'neither',
    counted: 'same',
    words: { more: 'more retransmitted segments', less: 'fewer retransmitted segments' },
    format: formatCount,
    say: (value) => `${formatCount(value)} retransmitted ${value === 1 ? 'segment' : 'segments'}`,
    axis: { title: 'Retransmitted segments', unit: 'segments', divisor: 1 },
    step: none,
    column: 'retransmitted_segments',
    source: 'the tool',
  },
  {
    id: 'cwnd',
    name: 'Congestion window',
    short: 'Window (cwnd)',
    noun: 'the congestion window',
    unit: 'bytes',
    better: 'neither',
    counted: 'same',
    words: { more: 'a larger window', less: 'a smaller window' },
    format: (value) => `${formatCount(value / 1024)}K`,
    say: (value) => `a window of ${formatCount(value / 1024)}K`,
    axis: { title: 'Congestion window in KiB', unit: 'KiB', divisor: 1024 },
    step: none,
    column: null,
    source: 'iperf3',
  },
] as const satisfies readonly Metric[]

/** A metric that this version does not have. Its values are shown unchanged. */
export function unknownMetric(id: MetricId): Metric {
  const format = (value: number): string => String(Number(value.toPrecision(6)))
  return {
    id,
    name: id,
    short: id,
    noun: id,
    unit: '',
    better: 'neither',
    counted: 'same',
    words: { more: 'more', less: 'less' },
    format,
    say: (value) => `${id} ${format(value)}`,
    axis: { title: id, unit: '', divisor: 1 },
    step: none,
    column: id,
    source: 'unknown',
  }
}
