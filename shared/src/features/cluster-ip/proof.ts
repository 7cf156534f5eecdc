/** Proves where an arm's connections were translated: by the counters there, and by the addresses of a captured call. */
import { i18n } from '../../base/language.ts'
import { minOf } from '../../measure/extremes.ts'
import { valueOf, valuesOf, type Measurement } from '../../measure/measurement.ts'
import { formatCount } from '../../base/units.ts'
import type { Observation } from '../../base/observation.ts'
import { countedOnPath, observePassed } from '../counted-packets.ts'
import type { ProofInput } from '../feature.ts'
import { translationIn, translators, type Translator } from './settings.ts'

/** The metric with the connections that a place translated. */
export const translatedBy: Readonly<Record<Translator, string>> = {
  socket: 'translatedBySocket',
  tc: 'translatedByTc',
  nftables: 'translatedByNftables',
  iptables: 'translatedByIptables',
}

const translatedWhat: Readonly<Record<Translator, string>> = {
  socket: /*i18n*/ 'connections that the program at the client’s sockets translated',
  tc: /*i18n*/ 'connections that the program at the node’s devices translated',
  nftables: /*i18n*/ 'connections that the node’s rules of nftables translated',
  iptables: /*i18n*/ 'connections that the node’s rules of iptables translated',
}

const translatedShort: Readonly<Record<Translator, string>> = {
  socket: /*i18n*/ 'By Socket',
  tc: /*i18n*/ 'By TC',
  nftables: /*i18n*/ 'By nftables',
  iptables: /*i18n*/ 'By iptables',
}

const unit = /*i18n*/ 'connections'
const CAPTURED = /*i18n*/ 'a call before each run, captured at the client’s device'

export const metrics = [
  countedOnPath({
    id: 'serviceConnections',
    what: /*i18n*/ 'connections to the service',
    short: /*i18n*/ 'Connections',
    column: 'service_connections',
    unit,
    source: /*i18n*/ 'the calls that netperf was asked for, and its control connection',
  }),
  ...translators.map((by) =>
    countedOnPath({
      id: translatedBy[by],
      what: translatedWhat[by],
      short: translatedShort[by],
      column: `translated_by_${by}`,
      unit,
      source: /*i18n*/ 'the counter of the program or of the rules, before and after',
    }),
  ),
  countedOnPath({
    id: 'leftForService',
    what: /*i18n*/ 'packets that left the client with the service’s address',
    short: /*i18n*/ 'To the service',
    column: 'packets_to_service',
    source: CAPTURED,
  }),
  countedOnPath({
    id: 'leftForBackend',
    what: /*i18n*/ 'packets that left the client with the backend’s address',
    short: /*i18n*/ 'To the backend',
    column: 'packets_to_backend',
    source: CAPTURED,
  }),
] as const

/** Every connection of each run. */
function allBy(by: Translator, measurements: readonly Measurement[]): Observation {
  const seen = valuesOf(measurements, translatedBy[by])
  const wanted = valuesOf(measurements, 'serviceConnections')
  const all = measurements.every(
    (one) => (valueOf(one, translatedBy[by]) ?? 0) >= (valueOf(one, 'serviceConnections') ?? Infinity),
  )
  return {
    label: i18n.t(translatedWhat[by]),
    expected: wanted.length === 0 ? i18n.t('unknown') : `≥ ${formatCount(minOf(wanted))}`,
    seen: seen.length === 0 ? i18n.t('unknown') : formatCount(minOf(seen)),
    ok: measurements.length > 0 && all,
  }
}

/** Without counters a run proves nothing. */
export function proof({ settings, measurements }: ProofInput): Observation[] {
  const arm = translationIn(settings)
  const observe = (label: string, metric: string, isHere: boolean): Observation =>
    observePassed({ label, metric, perTransaction: isHere ? 0 : null }, measurements)
  return [
    observe(i18n.t('packets of a call that left the client for the service'), 'leftForService', arm !== 'socket'),
    observe(i18n.t('packets of a call that left the client for the backend'), 'leftForBackend', arm === 'socket'),
    ...translators.map((by) =>
      by === arm ? allBy(by, measurements) : observe(i18n.t(translatedWhat[by]), translatedBy[by], false),
    ),
  ]
}
