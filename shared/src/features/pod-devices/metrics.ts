/** Packets that the kernel counted on the nodes while a tool ran. */
import type { Metric } from '../../measure/metrics.ts'
import { countedOnPath } from '../counted-packets.ts'

export const metrics: readonly Metric[] = [
  countedOnPath({
    id: 'forwardedPackets',
    what: 'packets that the nodes’ IP layer forwarded',
    short: 'Forwarded by IP',
    column: 'packets_forwarded_by_ip',
    source: 'ForwDatagrams and Ip6OutForwDatagrams of both nodes (/proc/net/snmp, /proc/net/snmp6), before and after',
  }),
  countedOnPath({
    id: 'redirectedPackets',
    what: 'packets that BPF programs redirected',
    short: 'Redirected by BPF',
    column: 'packets_redirected_by_bpf',
    source: 'the programs’ own counters on both nodes, before and after',
  }),
  countedOnPath({
    id: 'trackedPackets',
    what: 'packets whose connection the nodes knew',
    short: 'Tracked',
    column: 'packets_tracked',
    source: 'the counters of the rules for known connections on both nodes, before and after',
  }),
]
