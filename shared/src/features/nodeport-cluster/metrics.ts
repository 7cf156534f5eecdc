/** Metrics of a NodePort on a cluster, besides rate and latency. */
import { formatFixed } from '../../base/units.ts'
import { defineMetric } from '../../measure/define-metric.ts'
import type { Metric } from '../../measure/metrics.ts'

export const metrics: readonly Metric[] = [
  defineMetric({
    id: 'nodesCpuPerTransaction',
    name: /*i18n*/ 'CPU time of the nodes per transaction',
    short: /*i18n*/ 'Nodes’ CPU',
    noun: /*i18n*/ 'the nodes’ CPU time per transaction',
    type: 'cpu',
    unit: 'µs',
    format: (value) => `${formatFixed(value, 1)} µs`,
    axis: { title: /*i18n*/ 'CPU µs per transaction', unit: 'µs', divisor: 1 },
    column: 'nodes_cpu_us_per_transaction',
    source: /*i18n*/ 'busy time in /proc/stat of both nodes, by transactions; nodes that share a kernel count once',
  }),
  defineMetric({
    id: 'tcPackets',
    name: /*i18n*/ 'Packets at TC per transaction',
    short: /*i18n*/ 'At TC',
    type: 'mean',
    unit: /*i18n*/ 'packets',
    column: 'tc_packets_per_transaction',
    source: /*i18n*/ 'clsact’s counters on the called node’s devices, before and after',
  }),
  defineMetric({
    id: 'entryPackets',
    name: /*i18n*/ 'Packets into the called node for each one into the backend’s node',
    short: /*i18n*/ 'Into called node',
    type: 'mean',
    unit: /*i18n*/ 'packets',
    words: { more: /*i18n*/ 'more packets into the called node', less: /*i18n*/ 'fewer packets into the called node' },
    axis: { title: /*i18n*/ 'Packets into the called node', unit: /*i18n*/ 'packets', divisor: 1 },
    column: 'entry_packets_per_backend_packet',
    source:
      /*i18n*/ 'received packets of both nodes’ devices, before and after: about two where replies come back, else one',
  }),
]
