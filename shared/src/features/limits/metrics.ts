/** Times that a limit or a long path sets, and the packets that both count. */
import { i18n } from '../../base/language.ts'
import { formatBitRate, formatFixed } from '../../base/units.ts'
import { countedId } from '../../measure/clock.ts'
import { commonMetrics } from '../../measure/common-metrics.ts'
import { onMachineClock } from '../../measure/counted-form.ts'
import { defineMetric } from '../../measure/define-metric.ts'
import { valueOf, type Measurement } from '../../measure/measurement.ts'
import type { Metric, MetricId } from '../../measure/metrics.ts'
import { countedOnPath } from '../counted-packets.ts'

export const BITS_IN_MEGABIT = 1e6

interface Milliseconds extends Pick<Metric, 'id' | 'name' | 'short' | 'noun' | 'source'> {
  /** Without its unit: `ping`. */
  readonly column: string
}

function milliseconds({ id, name, short, noun, column, source }: Milliseconds): Metric {
  const format = (value: number): string => `${value < 10 ? formatFixed(value, 2) : formatFixed(value, 1)} ms`
  const shown = {
    name,
    short,
    noun,
    unit: 'ms',
    format,
    words: { more: /*i18n*/ 'longer', less: /*i18n*/ 'shorter' },
    say: (value: number) => `${i18n.t(short)} ${format(value)}`,
    axis: { title: short, unit: 'ms', divisor: 1 },
  }
  const counted = onMachineClock(shown, `${column}_machine_ms`)
  return defineMetric({
    id,
    name,
    short,
    type: 'time',
    unit: 'ms',
    counted,
    format,
    column: `${column}_ms`,
    source,
  })
}

/** A rate that is a limit's own, so that on the machine's clock it is what it would be elsewhere. */
const rate = {
  name: /*i18n*/ 'Rate of the stream',
  short: /*i18n*/ 'Rate',
  noun: /*i18n*/ 'the rate',
  unit: 'bit/s',
  words: { more: /*i18n*/ 'faster', less: /*i18n*/ 'slower' },
  format: formatBitRate,
  say: formatBitRate,
  axis: { title: /*i18n*/ 'Rate', unit: 'Mbit/s', divisor: BITS_IN_MEGABIT },
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
  milliseconds({
    id: 'streamPing',
    name: /*i18n*/ 'Ping beside the stream',
    short: /*i18n*/ 'Ping',
    noun: /*i18n*/ 'the ping',
    column: 'ping',
    source: /*i18n*/ 'ping: the median of ten echoes a second from the same pod',
  }),
  milliseconds({
    id: 'leastPing',
    name: /*i18n*/ 'Shortest ping beside the stream',
    short: /*i18n*/ 'Shortest ping',
    noun: /*i18n*/ 'the shortest ping',
    column: 'least_ping',
    source: /*i18n*/ 'ping: the shortest of the same echoes',
  }),
  milliseconds({
    id: 'pausedResponse',
    name: /*i18n*/ 'Response after a pause',
    short: /*i18n*/ 'Paused response',
    noun: /*i18n*/ 'the paused response',
    column: 'response_after_pause',
    source: /*i18n*/ 'the helper: the median of the responses after a pause',
  }),
  milliseconds({
    id: 'readyResponse',
    name: /*i18n*/ 'Response without a pause',
    short: /*i18n*/ 'Ready response',
    noun: /*i18n*/ 'the ready response',
    column: 'response_without_pause',
    source: /*i18n*/ 'the helper: the last response before the first pause, on the same connection',
  }),
  countedOnPath({
    id: 'limiterPassed',
    what: /*i18n*/ 'packets that the limiter let through',
    short: /*i18n*/ 'Let through',
    column: 'packets_limiter_passed',
    source: /*i18n*/ 'the counters of tc or of the program, before and after',
  }),
  countedOnPath({
    id: 'limiterDropped',
    what: /*i18n*/ 'packets that the limiter dropped',
    short: /*i18n*/ 'Dropped by the limiter',
    column: 'packets_limiter_dropped',
    source: /*i18n*/ 'the counters of tc or of the program, before and after',
  }),
  countedOnPath({
    id: 'pathDropped',
    what: /*i18n*/ 'packets that the long path lost',
    short: /*i18n*/ 'Lost on the path',
    column: 'packets_path_dropped',
    source: /*i18n*/ 'the counters of netem, before and after',
  }),
  countedOnPath({
    id: 'hostRouted',
    what: /*i18n*/ 'packets that host routing brought to the wire',
    short: /*i18n*/ 'Host-routed',
    column: 'packets_host_routed',
    source: /*i18n*/ 'the program’s own counter, before and after',
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
