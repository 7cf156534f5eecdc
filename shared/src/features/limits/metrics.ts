/** Times that a limit or a long path sets, and the packets that both count. */
import { formatBitRate } from '../../base/units.ts'
import { countedId } from '../../measure/clock.ts'
import { commonMetrics } from '../../measure/common-metrics.ts'
import { onMachineClock } from '../../measure/counted-form.ts'
import { defineMetric } from '../../measure/define-metric.ts'
import { valueOf, type Measurement } from '../../measure/measurement.ts'
import type { Metric, MetricId } from '../../measure/metrics.ts'
import { countedOnPath } from '../counted-packets.ts'

export const BITS_IN_MEGABIT = 1e6

/** @param column without its unit: `ping` */
function milliseconds(id: string, name: string, short: string, column: string, source: string): Metric {
  const format = (value: number): string => `${value < 10 ? value.toFixed(2) : value.toFixed(1)} ms`
  const shown = {
    name,
    short,
    noun: `the ${short.toLowerCase()}`,
    unit: 'ms',
    format,
    words: { more: 'longer', less: 'shorter' },
    say: (value: number) => `${short} ${format(value)}`,
    axis: { title: short, unit: 'ms', divisor: 1 },
  }
  const counted = onMachineClock(shown, `${column}_machine_ms`)
  return defineMetric({ id, name, short, type: 'time', unit: 'ms', counted, format, column: `${column}_ms`, source })
}

/** A rate that is a limit's own, so that on the machine's clock it is what it would be elsewhere. */
const rate = {
  name: 'Rate of the stream',
  short: 'Rate',
  noun: 'the rate',
  unit: 'bit/s',
  words: { more: 'faster', less: 'slower' },
  format: formatBitRate,
  say: formatBitRate,
  axis: { title: 'Rate', unit: 'Mbit/s', divisor: BITS_IN_MEGABIT },
}

export const metrics: readonly Metric[] = [
  defineMetric({
    ...rate,
    id: 'streamRate',
    type: 'rate',
    counted: onMachineClock(rate, 'rate_machine_bit_per_s'),
    column: 'rate_bit_per_s',
    source: 'netperf',
  }),
  milliseconds(
    'streamPing',
    'Ping beside the stream',
    'Ping',
    'ping',
    'ping: the median of ten echoes a second from the same pod',
  ),
  milliseconds(
    'leastPing',
    'Shortest ping beside the stream',
    'Shortest ping',
    'least_ping',
    'ping: the shortest of the same echoes',
  ),
  milliseconds(
    'pausedResponse',
    'Response after a pause',
    'Paused response',
    'response_after_pause',
    'the helper: the median of the responses after a pause',
  ),
  milliseconds(
    'readyResponse',
    'Response without a pause',
    'Ready response',
    'response_without_pause',
    'the helper: the last response before the first pause, on the same connection',
  ),
  countedOnPath({
    id: 'limiterPassed',
    what: 'packets that the limiter let through',
    short: 'Let through',
    column: 'packets_limiter_passed',
    source: 'the counters of tc or of the program, before and after',
  }),
  countedOnPath({
    id: 'limiterDropped',
    what: 'packets that the limiter dropped',
    short: 'Dropped by the limiter',
    column: 'packets_limiter_dropped',
    source: 'the counters of tc or of the program, before and after',
  }),
  countedOnPath({
    id: 'pathDropped',
    what: 'packets that the long path lost',
    short: 'Lost on the path',
    column: 'packets_path_dropped',
    source: 'the counters of netem, before and after',
  }),
  countedOnPath({
    id: 'hostRouted',
    what: 'packets that host routing brought to the wire',
    short: 'Host-routed',
    column: 'packets_host_routed',
    source: 'the program’s own counter, before and after',
  }),
]

/** A value as the tool printed it, in time, whichever clock measured. */
export function printedValue(one: Measurement, id: MetricId): number | null {
  const clock = one.fingerprint?.instructionsPerMicrosecond ?? null
  const form = [...commonMetrics, ...metrics].find((metric) => metric.id === id)?.counted
  if (clock === null || typeof form !== 'object') return valueOf(one, id)
  const value = valueOf(one, countedId(id))
  return value === null ? null : value / form.factor(clock)
}
