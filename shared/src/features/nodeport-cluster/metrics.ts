/** What is measured of a NodePort on a cluster, besides rate and latency. */
import { inInstructions } from '../../measure/counted-form.ts'
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
    counted: inInstructions(1, 'per transaction', {
      name: 'Instructions of the nodes per transaction',
      short: 'Nodes’ instructions',
      noun: 'the nodes’ instructions per transaction',
      title: 'Thousand instructions per transaction',
      thousands: true,
      column: 'nodes_cpu_instructions_per_transaction',
    }),
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
    counted: 'same',
    words: { more: 'more packets at TC', less: 'fewer packets at TC' },
    format: (value) => value.toFixed(2),
    say: (value) => `${value.toFixed(2)} packets at TC per transaction`,
    axis: { title: 'Packets at TC per transaction', unit: 'packets', divisor: 1 },
    step: none,
    column: 'tc_packets_per_transaction',
    source: 'clsact’s counters on the called node’s devices, before and after',
  },
  {
    id: 'entryPackets',
    name: 'Packets into the called node for each one into the backend’s node',
    short: 'Into called node',
    noun: 'packets into the called node for each one into the backend’s node',
    unit: 'packets',
    better: 'neither',
    counted: 'same',
    words: { more: 'more packets into the called node', less: 'fewer packets into the called node' },
    format: (value) => value.toFixed(2),
    say: (value) => `${value.toFixed(2)} packets into the called node for each one into the backend’s node`,
    axis: { title: 'Packets into the called node', unit: 'packets', divisor: 1 },
    step: none,
    column: 'entry_packets_per_backend_packet',
    source: 'received packets of both nodes’ devices, before and after: about two where replies come back, else one',
  },
] as const satisfies readonly Metric[]
