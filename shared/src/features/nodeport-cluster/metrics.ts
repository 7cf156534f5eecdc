/** What is measured of a NodePort on a cluster, besides rate and latency. */
import type { Metric } from '../../measure/metrics.ts'

const none = (): null => null

/** `12.3 µs`. */
function formatCpu(value: number): string {
  return `${value.toFixed(1)} µs`
}

export const metrics = [
  {
    id: 'nodesCpuPerTransaction',
    name: 'CPU time of the nodes per transaction',
    short: 'Nodes’ CPU',
    noun: 'the nodes’ CPU time per transaction',
    unit: 'µs',
    better: 'less',
    words: { more: 'more CPU', less: 'less CPU' },
    format: formatCpu,
    say: (value) => `${formatCpu(value)} of the nodes’ CPU per transaction`,
    axis: { title: 'CPU µs per transaction', unit: 'µs', divisor: 1 },
    step: none,
    column: 'nodes_cpu_us_per_transaction',
    source: 'busy time in /proc/stat of both nodes, by transactions; nodes that share a kernel count once',
  },
  {
    id: 'tcPackets',
    name: 'Packets at TC per transaction',
    short: 'At TC',
    noun: 'packets at TC per transaction',
    unit: 'packets',
    better: 'neither',
    words: { more: 'more packets at TC', less: 'fewer packets at TC' },
    format: (value) => value.toFixed(2),
    say: (value) => `${value.toFixed(2)} packets at TC per transaction`,
    axis: { title: 'Packets at TC per transaction', unit: 'packets', divisor: 1 },
    step: none,
    column: 'tc_packets_per_transaction',
    source: 'clsact’s counters on the called node’s devices, before and after',
  },
] as const satisfies readonly Metric[]
