/** What the kernel counted on the nodes while a tool ran. */
import { formatCount } from '../../measure/units.ts'
import type { Metric } from '../../measure/metrics.ts'

const none = (): null => null

function counted(id: string, what: string, short: string, column: string, source: string): Metric {
  return {
    id,
    name: what.charAt(0).toUpperCase() + what.slice(1),
    short,
    noun: `the ${what}`,
    unit: 'packets',
    better: 'neither',
    words: { more: 'more packets', less: 'fewer packets' },
    counted: 'same',
    format: formatCount,
    say: (value) => `${formatCount(value)} ${what}`,
    axis: { title: short, unit: 'packets', divisor: 1 },
    step: none,
    column,
    source,
  }
}

export const metrics: readonly Metric[] = [
  counted(
    'forwardedPackets',
    'packets that the nodes’ IP layer forwarded',
    'Forwarded by IP',
    'packets_forwarded_by_ip',
    'ForwDatagrams and Ip6OutForwDatagrams of both nodes (/proc/net/snmp, /proc/net/snmp6), before and after',
  ),
  counted(
    'redirectedPackets',
    'packets that BPF programs redirected',
    'Redirected by BPF',
    'packets_redirected_by_bpf',
    'the programs’ own counters on both nodes, before and after',
  ),
  counted(
    'trackedPackets',
    'packets whose connection the nodes knew',
    'Tracked',
    'packets_tracked',
    'the counters of the rules for known connections on both nodes, before and after',
  ),
]
