/** Rates and times that a limit or a long path sets. The kernel's timers make them, so each clock shows them in its own time. */
import { countedId } from '../../measure/clock.ts'
import { defineMetric } from '../../measure/define-metric.ts'
import { valueOf, type Measurement } from '../../measure/measurement.ts'
import type { Metric, MetricId } from '../../measure/metrics.ts'
import { countedOnPath } from '../counted-packets.ts'

/** Where the clock counts instructions, the kernel's timers follow it, too: a second there is a second of this clock. */
function byOwnClock(metric: Metric): Metric {
  const { name, short, noun, unit, words, format, say, axis, column } = metric
  const by = 'by the machine’s own clock'
  return {
    ...metric,
    counted: {
      factor: () => 1,
      shown: {
        name: `${name}, ${by}`,
        short,
        noun: `${noun} ${by}`,
        unit,
        words,
        format,
        say,
        axis,
        column: column === null ? null : `${column}_by_own_clock`,
      },
    },
  }
}

/** The value of such a metric, whichever clock measured. */
export function ownClockValue(one: Measurement, id: MetricId): number | null {
  return valueOf(one, id) ?? valueOf(one, countedId(id))
}

function milliseconds(id: string, name: string, short: string, column: string, source: string): Metric {
  const format = (value: number): string => `${value < 10 ? value.toFixed(2) : value.toFixed(1)} ms`
  return byOwnClock(
    defineMetric({ id, name, short, type: 'time', unit: 'ms', counted: 'same', format, column, source }),
  )
}

export const metrics: readonly Metric[] = [
  byOwnClock(
    defineMetric({
      id: 'streamRate',
      name: 'Rate of the stream',
      short: 'Rate',
      type: 'rate',
      unit: 'Mbit/s',
      counted: 'same',
      format: (value) => `${value.toFixed(1)} Mbit/s`,
      column: 'stream_mbit_per_s',
      source: 'netperf: bytes that arrived, by its time',
    }),
  ),
  milliseconds(
    'streamPing',
    'Ping beside the stream',
    'Ping',
    'ping_ms',
    'ping: the median of ten echoes a second from the same pod',
  ),
  milliseconds(
    'leastPing',
    'Shortest ping beside the stream',
    'Shortest ping',
    'least_ping_ms',
    'ping: the shortest of the same echoes',
  ),
  milliseconds(
    'pausedResponse',
    'Response after a pause',
    'After a pause',
    'response_after_pause_ms',
    'the helper: the median of the responses after a pause',
  ),
  milliseconds(
    'readyResponse',
    'Response without a pause',
    'Without a pause',
    'response_without_pause_ms',
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
