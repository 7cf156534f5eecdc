/** Metrics of a node that forwards: packets, their cost, and the hook that handled them. */
import { i18n } from '../../base/language.ts'
import { perInstructions } from '../../measure/counted-form.ts'
import { defineMetric } from '../../measure/define-metric.ts'
import type { Metric } from '../../measure/metrics.ts'
import { formatCount, formatFixed } from '../../base/units.ts'

/** `2.40 Mpps`, `125 kpps`. */
export function formatPacketRate(perSecond: number): string {
  if (perSecond >= 1e6) return `${formatFixed(perSecond / 1e6, 2)} Mpps`
  return perSecond >= 1e3 ? `${formatFixed(perSecond / 1e3, 0)} kpps` : `${formatFixed(perSecond, 0)} pps`
}

export const metrics: readonly Metric[] = [
  defineMetric({
    id: 'forwardRate',
    name: /*i18n*/ 'Forwarded packets',
    short: /*i18n*/ 'Forwarded',
    noun: /*i18n*/ 'the rate of forwarded packets',
    type: 'rate',
    unit: /*i18n*/ 'packets/s',
    counted: perInstructions('million', 'packets', 'forwarded_packets_per_million_instructions'),
    format: formatPacketRate,
    axis: { title: /*i18n*/ 'Forwarded, Mpps', unit: 'Mpps', divisor: 1e6 },
    column: 'forwarded_packets_per_s',
    source: /*i18n*/ 'packets that arrived at the backend, by the seconds of sending',
  }),
  defineMetric({
    id: 'cpuPerPacket',
    name: /*i18n*/ 'CPU time per packet',
    short: /*i18n*/ 'CPU per packet',
    type: 'cpu',
    unit: 'ns',
    source:
      /*i18n*/ 'CPU time in which the node forwards, by packets that arrived: of the process that sends, in whose context it forwards, or of the node’s kernel thread',
  }),
  defineMetric({
    id: 'cpuPerNewFlow',
    name: /*i18n*/ 'CPU time per new flow',
    short: /*i18n*/ 'CPU per new flow',
    type: 'cpu',
    unit: 'µs',
    format: (value) => `${value < 100 ? formatFixed(value, 1) : formatCount(value)} µs`,
    source: /*i18n*/ 'CPU time of the process that sends, when every packet opens a flow, by flows',
  }),
  defineMetric({
    id: 'cpuShare',
    name: /*i18n*/ 'Share of the CPU',
    short: /*i18n*/ 'CPU share',
    noun: /*i18n*/ 'the share of the CPU that the measured process had',
    type: 'share',
    unit: '%',
    format: (value) => `${formatFixed(value, 0)} %`,
    say: (value) => i18n.t('{value} % of the CPU', { value: formatFixed(value, 0) }),
    column: 'cpu_share_percent',
    source: /*i18n*/ 'CPU time of the process that sends, by the time that passed; other programs had the rest',
  }),
  defineMetric({
    id: 'cpuIdle',
    name: /*i18n*/ 'Idle CPU of the node',
    short: /*i18n*/ 'Idle CPU',
    noun: /*i18n*/ 'the node’s idle CPU',
    type: 'share',
    unit: '%',
    better: 'more',
    words: { more: /*i18n*/ 'more idle CPU', less: /*i18n*/ 'less idle CPU' },
    say: (value) => i18n.t('{value} % of the CPU idle', { value: formatFixed(value, 1) }),
    column: 'cpu_idle_percent',
    source:
      /*i18n*/ 'what the CPU time of the node’s kernel thread per packet leaves of a CPU at the offered rate (/proc/PID/schedstat)',
  }),
  defineMetric({
    id: 'cpuWaiting',
    name: /*i18n*/ 'Waiting for the CPU',
    short: /*i18n*/ 'Waiting',
    noun: /*i18n*/ 'the time that the node’s thread waited for its CPU',
    type: 'share',
    unit: '%',
    say: (value) => i18n.t('{value} % of the time waiting for the CPU', { value: formatFixed(value, 1) }),
    column: 'cpu_waiting_percent',
    source:
      /*i18n*/ 'the time in which the node’s kernel thread could run and something else had its CPU (/proc/PID/schedstat)',
  }),
  defineMetric({
    id: 'lost',
    name: /*i18n*/ 'Lost packets',
    short: /*i18n*/ 'Lost',
    type: 'count',
    unit: /*i18n*/ 'packets',
    say: (value) => i18n.t('{value} lost', { value: formatCount(value) }),
    source: /*i18n*/ 'packets sent without those that arrived at the backend',
  }),
  defineMetric({
    id: 'rulesLoadMs',
    name: /*i18n*/ 'Loading the rules',
    short: /*i18n*/ 'Rules loaded in',
    noun: /*i18n*/ 'the time to load the rules',
    type: 'time',
    unit: 'ms',
    better: 'neither',
    // By the host's clock, around a command.
    counted: 'absent',
    say: (value) => i18n.t('rules loaded in {value} ms', { value: formatCount(value) }),
    column: 'rules_load_ms',
    source: /*i18n*/ 'the time of the command that loaded the services when the pods were made',
  }),
  defineMetric({
    id: 'hookShare',
    name: /*i18n*/ 'Counted by the hook',
    short: /*i18n*/ 'By the hook',
    noun: /*i18n*/ 'the hook’s own count, per flow that was sent',
    type: 'mean',
    unit: '',
    words: { more: 'more', less: 'less' },
    format: (value) => formatFixed(value, 3),
    say: (value) => i18n.t('{value} counted by the hook', { value: formatFixed(value, 3) }),
    axis: { title: /*i18n*/ 'Counted by the hook, per flow', unit: '', divisor: 1 },
    column: 'counted_by_hook_per_packet',
    source: /*i18n*/ 'the program’s run count or the rule’s counter, before and after',
  }),
  defineMetric({
    id: 'elsewhere',
    name: /*i18n*/ 'Counted by other hooks',
    short: /*i18n*/ 'Elsewhere',
    noun: 'packets that other hooks counted',
    type: 'count',
    unit: /*i18n*/ 'packets',
    words: { more: 'more', less: 'fewer' },
    say: (value) => i18n.t('{value} counted by other hooks', { value: formatCount(value) }),
    column: 'counted_elsewhere',
    source: /*i18n*/ 'the other programs’ and rules’ counters, before and after',
  }),
  defineMetric({
    id: 'discarded',
    name: /*i18n*/ 'Discarded runs',
    short: /*i18n*/ 'Discarded',
    type: 'count',
    unit: /*i18n*/ 'runs',
    say: (value) => i18n.t('{value} discarded', { value: formatCount(value) }),
    source: /*i18n*/ 'runs that broke a rule that was fixed beforehand, and were made again',
  }),
]
