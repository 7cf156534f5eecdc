/** The registry of metrics: each one's names, format, better direction and source. */
import { z } from 'zod'
import { histogramBucket } from './resolution.ts'
import { formatBitRate, formatCount, formatLatency, formatTps } from './units.ts'

/** `tps`, `p99`, `packetsPerRequest`. */
export const metricId = z.string().regex(/^[a-z][A-Za-z0-9]{0,39}$/)
export type MetricId = z.infer<typeof metricId>

/** Values by metric, each in the metric's own unit. Null is unknown; a metric that the tool does not measure is absent. */
export const metricValues = z.record(metricId, z.number().nonnegative().nullable())
export type MetricValues = Readonly<z.infer<typeof metricValues>>

/** Which direction is an improvement; `neither` for a metric that only explains a result. */
export const better = z.enum(['more', 'less', 'neither'])
export type Better = z.infer<typeof better>

export interface Metric {
  readonly id: MetricId
  /** As the heading of a row: `Latency, p99`. */
  readonly name: string
  /** As the heading of a column, or next to a bar: `p99`. */
  readonly short: string
  /** Within a sentence: `the p99 latency`. */
  readonly noun: string
  /** The unit of its stored values: `µs`, `bit/s`. */
  readonly unit: string
  readonly better: Better
  /** Names for a larger and a smaller value. */
  readonly words: { readonly more: string; readonly less: string }
  /** With its unit: `88 µs`. */
  readonly format: (value: number) => string
  /** In a table, below its short name. @defaultValue {@link format} */
  readonly cell?: (value: number) => string
  /** Without a heading, so that it names itself: `p99 88 µs`, `2.00 packets per request`. */
  readonly say: (value: number) => string
  /** Its axis in a chart: the title, the unit of the ticks, and the divisor from the metric's unit to it. */
  readonly axis: { readonly title: string; readonly unit: string; readonly divisor: number }
  /** The tool's resolution at a value: smaller differences do not count. Null if it is finer than any noise. */
  readonly step: (value: number) => number | null
  /** Its column in the CSV report; null for a metric that only live samples have. */
  readonly column: string | null
  /** Where the values come from, for people. */
  readonly source: string
}

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
    words: { more: 'more', less: 'less' },
    format,
    say: (value) => `${id} ${format(value)}`,
    axis: { title: id, unit: '', divisor: 1 },
    step: none,
    column: id,
    source: 'unknown',
  }
}
