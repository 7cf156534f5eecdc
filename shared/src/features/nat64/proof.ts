/** Proves who translated the packets, by the gateway's counts around each measurement. */
import { i18n } from '../../base/language.ts'
import { tcpCrr } from '../../tools/netperf/tcp-crr.ts'
import type { Observation } from '../../base/observation.ts'
import { observePassed } from '../counted-packets.ts'
import type { ProofInput } from '../feature.ts'
import { translatorIn } from './settings.ts'
import { isBpf, translates } from './translators.ts'

/** A request and its response. */
const PACKETS_PER_TRANSACTION = 2

/** A packet that is translated is forwarded twice: in its old family to the translator, and from there in its new one. */
export function proof({ settings, benchmark, measurements }: ProofInput): Observation[] {
  const translator = translatorIn(settings)
  const forwarded = PACKETS_PER_TRANSACTION * (translates(translator) ? 2 : 1)
  const sessions = benchmark.tool === tcpCrr.tool ? 1 : 0
  const seen = (label: string, metric: string, perTransaction: number | null): Observation =>
    observePassed({ label, metric, perTransaction }, measurements)
  return [
    seen(i18n.t('packets that the gateway’s IP layer forwarded'), 'gatewayPackets', forwarded),
    seen(
      i18n.t('packets that the BPF program translated'),
      'bpfTranslations',
      isBpf(translator) ? PACKETS_PER_TRANSACTION : null,
    ),
    seen(
      i18n.t('packets that tayga translated'),
      'taygaTranslations',
      translator === 'tayga' ? PACKETS_PER_TRANSACTION : null,
    ),
    seen(
      i18n.t('sessions that the translator began'),
      'translatorSessions',
      translator === 'bpf-stateful' ? sessions : null,
    ),
  ]
}
