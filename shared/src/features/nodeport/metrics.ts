/** What is measured of a node that forwards: packets, what they cost, and which hook handled them. */
import type { Metric } from '../../measure/metrics.ts'
import { formatCount } from '../../measure/units.ts'

const none = (): null => null
const cheaper = { more: 'more CPU', less: 'less CPU' }

/** `2.40 Mpps`, `125 kpps`. */
function formatPacketRate(perSecond: number): string {
  if (perSecond >= 1e6) return `${(perSecond / 1e6).toFixed(2)} Mpps`
  return perSecond >= 1e3 ? `${(perSecond / 1e3).toFixed(0)} kpps` : `${perSecond.toFixed(0)} pps`
}

/** `5.1 µs`, `421 µs`. */
function formatFineMicroseconds(value: number): string {
  return `${value < 100 ? value.toFixed(1) : formatCount(value)} µs`
}

export const metrics = [
  {
    id: 'forwardRate',
    name: 'Forwarded packets',
    short: 'Forwarded',
    noun: 'the rate of forwarded packets',
    unit: 'packets/s',
    better: 'more',
    words: { more: 'faster', less: 'slower' },
    format: formatPacketRate,
    say: formatPacketRate,
    axis: { title: 'Forwarded, Mpps', unit: 'Mpps', divisor: 1e6 },
    step: none,
    column: 'forwarded_packets_per_s',
    source: 'packets that arrived at the backend, by the seconds of sending',
  },
  {
    id: 'cpuPerPacket',
    name: 'CPU time per packet',
    short: 'CPU per packet',
    noun: 'CPU time per packet',
    unit: 'ns',
    better: 'less',
    words: cheaper,
    format: (value) => `${formatCount(value)} ns`,
    say: (value) => `${formatCount(value)} ns of CPU per packet`,
    axis: { title: 'CPU ns per packet', unit: 'ns', divisor: 1 },
    step: none,
    column: 'cpu_ns_per_packet',
    source: 'CPU time of the process that sends, in whose context the node forwards, by packets that arrived',
  },
  {
    id: 'cpuPerNewFlow',
    name: 'CPU time per new flow',
    short: 'CPU per new flow',
    noun: 'CPU time per new flow',
    unit: 'µs',
    better: 'less',
    words: cheaper,
    format: formatFineMicroseconds,
    say: (value) => `${formatFineMicroseconds(value)} of CPU per new flow`,
    axis: { title: 'CPU µs per new flow', unit: 'µs', divisor: 1 },
    step: none,
    column: 'cpu_us_per_new_flow',
    source: 'CPU time of the process that sends, when every packet opens a flow, by flows',
  },
  {
    id: 'lost',
    name: 'Lost packets',
    short: 'Lost',
    noun: 'lost packets',
    unit: 'packets',
    better: 'neither',
    words: { more: 'more lost packets', less: 'fewer lost packets' },
    format: formatCount,
    say: (value) => `${formatCount(value)} lost`,
    axis: { title: 'Lost packets', unit: 'packets', divisor: 1 },
    step: none,
    column: 'lost_packets',
    source: 'packets sent without those that arrived at the backend',
  },
  {
    id: 'rulesLoadMs',
    name: 'Loading the rules',
    short: 'Rules loaded in',
    noun: 'the time to load the rules',
    unit: 'ms',
    better: 'neither',
    words: { more: 'longer', less: 'shorter' },
    format: (value) => `${formatCount(value)} ms`,
    say: (value) => `rules loaded in ${formatCount(value)} ms`,
    axis: { title: 'Loading the rules, ms', unit: 'ms', divisor: 1 },
    step: none,
    column: 'rules_load_ms',
    source: 'the time of the command that loaded the services when the pods were made',
  },
  {
    id: 'hookShare',
    name: 'Counted by the hook',
    short: 'By the hook',
    noun: 'the hook’s own count, per flow that was sent',
    unit: '',
    better: 'neither',
    words: { more: 'more', less: 'less' },
    format: (value) => value.toFixed(3),
    say: (value) => `${value.toFixed(3)} counted by the hook`,
    axis: { title: 'Counted by the hook, per flow', unit: '', divisor: 1 },
    step: none,
    column: 'counted_by_hook_per_packet',
    source: 'the program’s run count or the rule’s counter, before and after',
  },
  {
    id: 'elsewhere',
    name: 'Counted by other hooks',
    short: 'Elsewhere',
    noun: 'packets that other hooks counted',
    unit: 'packets',
    better: 'neither',
    words: { more: 'more', less: 'fewer' },
    format: formatCount,
    say: (value) => `${formatCount(value)} counted by other hooks`,
    axis: { title: 'Counted by other hooks', unit: 'packets', divisor: 1 },
    step: none,
    column: 'counted_elsewhere',
    source: 'the other programs’ and rules’ counters, before and after',
  },
  {
    id: 'discarded',
    name: 'Discarded runs',
    short: 'Discarded',
    noun: 'discarded runs',
    unit: 'runs',
    better: 'neither',
    words: { more: 'more discarded runs', less: 'fewer discarded runs' },
    format: formatCount,
    say: (value) => `${formatCount(value)} discarded`,
    axis: { title: 'Discarded runs', unit: 'runs', divisor: 1 },
    step: none,
    column: 'discarded_runs',
    source: 'runs that broke a rule that was fixed beforehand, and were made again',
  },
] as const satisfies readonly Metric[]
