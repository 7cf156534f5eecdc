/** Packets that the kernel counted on the nodes while a tool ran. */
import type { Metric } from '../../measure/metrics.ts'
import { countedOnPath } from '../counted-packets.ts'

export const metrics: readonly Metric[] = [
  countedOnPath({
    id: 'forwardedPackets',
    what: /*i18n*/ 'packets that the nodes’ IP layer forwarded',
    short: /*i18n*/ 'Forwarded by IP',
    column: 'packets_forwarded_by_ip',
    source:
      /*i18n*/ 'ForwDatagrams and Ip6OutForwDatagrams of both nodes (/proc/net/snmp, /proc/net/snmp6), before and after',
  }),
  countedOnPath({
    id: 'redirectedPackets',
    what: /*i18n*/ 'packets that BPF programs redirected',
    short: /*i18n*/ 'Redirected by BPF',
    column: 'packets_redirected_by_bpf',
    source: /*i18n*/ 'the programs’ own counters on both nodes, before and after',
  }),
  countedOnPath({
    id: 'trackedPackets',
    what: /*i18n*/ 'packets whose connection the nodes knew',
    short: /*i18n*/ 'Tracked',
    column: 'packets_tracked',
    source: /*i18n*/ 'the counters of the rules for known connections on both nodes, before and after',
  }),
]
