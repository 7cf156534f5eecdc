/** Packets that the gateway counted while a tool ran. */
import type { Metric } from '../../measure/metrics.ts'
import { countedOnPath } from '../counted-packets.ts'

export const metrics: readonly Metric[] = [
  countedOnPath({
    id: 'gatewayPackets',
    what: /*i18n*/ 'packets that the gateway’s IP layer forwarded',
    short: /*i18n*/ 'Forwarded',
    column: 'gateway_packets_forwarded',
    source:
      /*i18n*/ 'ForwDatagrams and Ip6OutForwDatagrams of the gateway (/proc/net/snmp, /proc/net/snmp6), before and after',
  }),
  countedOnPath({
    id: 'bpfTranslations',
    what: /*i18n*/ 'packets that the BPF program translated',
    short: /*i18n*/ 'Translated by BPF',
    column: 'packets_translated_by_bpf',
    source: /*i18n*/ 'the program’s own counters, both directions, before and after',
  }),
  countedOnPath({
    id: 'taygaTranslations',
    what: /*i18n*/ 'packets that tayga translated',
    short: /*i18n*/ 'Translated by tayga',
    column: 'packets_translated_by_tayga',
    source: /*i18n*/ 'packets that came back through tayga’s TUN device, before and after',
  }),
  countedOnPath({
    id: 'translatorSessions',
    what: /*i18n*/ 'sessions that the translator began',
    short: /*i18n*/ 'Sessions begun',
    column: 'translator_sessions_begun',
    source: /*i18n*/ 'the BPF program’s own counter, before and after',
    unit: /*i18n*/ 'sessions',
  }),
]
