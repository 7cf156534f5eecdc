/** Metrics of a NodePort on a cluster, besides rate and latency. */
import { defineMetric } from '../../measure/define-metric.ts'
import type { Metric } from '../../measure/metrics.ts'

export const metrics: readonly Metric[] = [
  defineMetric({
    id: 'nodesCpuPerTransaction',
    name: 'CPU time of the nodes per transaction',
    short: 'Nodes’ CPU',
    noun: 'the nodes’ CPU time per transaction',
    type: 'cpu',
    unit: 'µs',
    format: (value) => `${value.toFixed(1)} µs`,
    axis: { title: 'CPU µs per transaction', unit: 'µs', divisor: 1 },
    column: 'nodes_cpu_us_per_transaction',
    source: 'busy time in /proc/stat of both nodes, by transactions; nodes that share a kernel count once',
  }),
  defineMetric({
    id: 'tcPackets',
    name: 'Packets at TC per transaction',
    short: 'At TC',
    type: 'mean',
    unit: 'packets',
    column: 'tc_packets_per_transaction',
    source: 'clsact’s counters on the called node’s devices, before and after',
  }),
  defineMetric({
    id: 'entryPackets',
    name: 'Packets into the called node for each one into the backend’s node',
    short: 'Into called node',
    type: 'mean',
    unit: 'packets',
    words: { more: 'more packets into the called node', less: 'fewer packets into the called node' },
    axis: { title: 'Packets into the called node', unit: 'packets', divisor: 1 },
    column: 'entry_packets_per_backend_packet',
    source: 'received packets of both nodes’ devices, before and after: about two where replies come back, else one',
  }),
]
