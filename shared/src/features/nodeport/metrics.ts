/** Metrics of a node that forwards: packets, their cost, and the hook that handled them. */
import { perInstructions } from '../../measure/counted-form.ts'
import { defineMetric } from '../../measure/define-metric.ts'
import type { Metric } from '../../measure/metrics.ts'
import { formatCount } from '../../base/units.ts'

/** `2.40 Mpps`, `125 kpps`. */
export function formatPacketRate(perSecond: number): string {
  if (perSecond >= 1e6) return `${(perSecond / 1e6).toFixed(2)} Mpps`
  return perSecond >= 1e3 ? `${(perSecond / 1e3).toFixed(0)} kpps` : `${perSecond.toFixed(0)} pps`
}

export const metrics: readonly Metric[] = [
  defineMetric({
    id: 'forwardRate',
    name: 'Forwarded packets',
    short: 'Forwarded',
    noun: 'the rate of forwarded packets',
    type: 'rate',
    unit: 'packets/s',
    counted: perInstructions('million', 'packets', 'forwarded_packets_per_million_instructions'),
    format: formatPacketRate,
    axis: { title: 'Forwarded, Mpps', unit: 'Mpps', divisor: 1e6 },
    column: 'forwarded_packets_per_s',
    source: 'packets that arrived at the backend, by the seconds of sending',
  }),
  defineMetric({
    id: 'cpuPerPacket',
    name: 'CPU time per packet',
    short: 'CPU per packet',
    type: 'cpu',
    unit: 'ns',
    source:
      'CPU time in which the node forwards, by packets that arrived: of the process that sends, in whose context it forwards, or of the node’s kernel thread',
  }),
  defineMetric({
    id: 'cpuPerNewFlow',
    name: 'CPU time per new flow',
    short: 'CPU per new flow',
    type: 'cpu',
    unit: 'µs',
    format: (value) => `${value < 100 ? value.toFixed(1) : formatCount(value)} µs`,
    source: 'CPU time of the process that sends, when every packet opens a flow, by flows',
  }),
  defineMetric({
    id: 'cpuShare',
    name: 'Share of the CPU',
    short: 'CPU share',
    noun: 'the share of the CPU that the measured process had',
    type: 'share',
    unit: '%',
    format: (value) => `${value.toFixed(0)} %`,
    say: (value) => `${value.toFixed(0)} % of the CPU`,
    column: 'cpu_share_percent',
    source: 'CPU time of the process that sends, by the time that passed; other programs had the rest',
  }),
  defineMetric({
    id: 'cpuIdle',
    name: 'Idle CPU of the node',
    short: 'Idle CPU',
    noun: 'the node’s idle CPU',
    type: 'share',
    unit: '%',
    better: 'more',
    words: { more: 'more idle CPU', less: 'less idle CPU' },
    say: (value) => `${value.toFixed(1)} % of the CPU idle`,
    column: 'cpu_idle_percent',
    source:
      'what the CPU time of the node’s kernel thread per packet leaves of a CPU at the offered rate (/proc/PID/schedstat)',
  }),
  defineMetric({
    id: 'cpuWaiting',
    name: 'Waiting for the CPU',
    short: 'Waiting',
    noun: 'the time that the node’s thread waited for its CPU',
    type: 'share',
    unit: '%',
    say: (value) => `${value.toFixed(1)} % of the time waiting for the CPU`,
    column: 'cpu_waiting_percent',
    source: 'the time in which the node’s kernel thread could run and something else had its CPU (/proc/PID/schedstat)',
  }),
  defineMetric({
    id: 'lost',
    name: 'Lost packets',
    short: 'Lost',
    type: 'count',
    unit: 'packets',
    say: (value) => `${formatCount(value)} lost`,
    source: 'packets sent without those that arrived at the backend',
  }),
  defineMetric({
    id: 'rulesLoadMs',
    name: 'Loading the rules',
    short: 'Rules loaded in',
    noun: 'the time to load the rules',
    type: 'time',
    unit: 'ms',
    better: 'neither',
    // By the host's clock, around a command.
    counted: 'absent',
    say: (value) => `rules loaded in ${formatCount(value)} ms`,
    column: 'rules_load_ms',
    source: 'the time of the command that loaded the services when the pods were made',
  }),
  defineMetric({
    id: 'hookShare',
    name: 'Counted by the hook',
    short: 'By the hook',
    noun: 'the hook’s own count, per flow that was sent',
    type: 'mean',
    unit: '',
    words: { more: 'more', less: 'less' },
    format: (value) => value.toFixed(3),
    say: (value) => `${value.toFixed(3)} counted by the hook`,
    axis: { title: 'Counted by the hook, per flow', unit: '', divisor: 1 },
    column: 'counted_by_hook_per_packet',
    source: 'the program’s run count or the rule’s counter, before and after',
  }),
  defineMetric({
    id: 'elsewhere',
    name: 'Counted by other hooks',
    short: 'Elsewhere',
    noun: 'packets that other hooks counted',
    type: 'count',
    unit: 'packets',
    words: { more: 'more', less: 'fewer' },
    say: (value) => `${formatCount(value)} counted by other hooks`,
    column: 'counted_elsewhere',
    source: 'the other programs’ and rules’ counters, before and after',
  }),
  defineMetric({
    id: 'discarded',
    name: 'Discarded runs',
    short: 'Discarded',
    type: 'count',
    unit: 'runs',
    say: (value) => `${formatCount(value)} discarded`,
    source: 'runs that broke a rule that was fixed beforehand, and were made again',
  }),
]
