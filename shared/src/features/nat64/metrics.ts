/** Packets that the gateway counted while a tool ran. */
import type { Metric } from '../../measure/metrics.ts'
import { countedOnPath } from '../counted-packets.ts'

export const metrics: readonly Metric[] = [
  countedOnPath({
    id: 'gatewayPackets',
    what: 'packets that the gateway’s IP layer forwarded',
    short: 'Forwarded',
    column: 'gateway_packets_forwarded',
    source: 'ForwDatagrams and Ip6OutForwDatagrams of the gateway (/proc/net/snmp, /proc/net/snmp6), before and after',
  }),
  countedOnPath({
    id: 'bpfTranslations',
    what: 'packets that the BPF program translated',
    short: 'Translated by BPF',
    column: 'packets_translated_by_bpf',
    source: 'the program’s own counters, both directions, before and after',
  }),
  countedOnPath({
    id: 'taygaTranslations',
    what: 'packets that tayga translated',
    short: 'Translated by tayga',
    column: 'packets_translated_by_tayga',
    source: 'packets that came back through tayga’s TUN device, before and after',
  }),
  countedOnPath({
    id: 'translatorSessions',
    what: 'sessions that the translator began',
    short: 'Sessions begun',
    column: 'translator_sessions_begun',
    source: 'the BPF program’s own counter, before and after',
    unit: 'sessions',
  }),
]
