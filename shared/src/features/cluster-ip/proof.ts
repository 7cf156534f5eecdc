/** Proves where an arm's connections were translated: by the counters there, and by the addresses of a captured call. */
import { minOf } from '../../measure/extremes.ts'
import { valueOf, valuesOf, type Measurement } from '../../measure/measurement.ts'
import { formatCount } from '../../base/units.ts'
import type { Observation } from '../../base/observation.ts'
import { countedOnPath, observePassed } from '../counted-packets.ts'
import type { ProofInput } from '../feature.ts'
import { translationIn, translationName, translators, type Translator } from './settings.ts'

/** The metric with the connections that a place translated. */
export const translatedBy: Readonly<Record<Translator, string>> = {
  socket: 'translatedBySocket',
  tc: 'translatedByTc',
  nftables: 'translatedByNftables',
  iptables: 'translatedByIptables',
}

const where: Readonly<Record<Translator, string>> = {
  socket: 'the program at the client’s sockets',
  tc: 'the program at the node’s devices',
  nftables: 'the node’s rules of nftables',
  iptables: 'the node’s rules of iptables',
}

const unit = 'connections'
const CAPTURED = 'a call before each run, captured at the client’s device'

export const metrics = [
  countedOnPath({
    id: 'serviceConnections',
    what: 'connections to the service',
    short: 'Connections',
    column: 'service_connections',
    unit,
    source: 'the calls that netperf was asked for, and its control connection',
  }),
  ...translators.map((by) =>
    countedOnPath({
      id: translatedBy[by],
      what: `connections that ${where[by]} translated`,
      short: `By ${translationName[by]}`,
      column: `translated_by_${by}`,
      unit,
      source: 'the counter of the program or of the rules, before and after',
    }),
  ),
  ...(['service', 'backend'] as const).map((of) =>
    countedOnPath({
      id: of === 'service' ? 'leftForService' : 'leftForBackend',
      what: `packets that left the client with the ${of}’s address`,
      short: `To the ${of}`,
      column: `packets_to_${of}`,
      source: CAPTURED,
    }),
  ),
] as const

/** Every connection of each run. */
function allBy(by: Translator, measurements: readonly Measurement[]): Observation {
  const seen = valuesOf(measurements, translatedBy[by])
  const wanted = valuesOf(measurements, 'serviceConnections')
  const all = measurements.every(
    (one) => (valueOf(one, translatedBy[by]) ?? 0) >= (valueOf(one, 'serviceConnections') ?? Infinity),
  )
  return {
    label: `connections that ${where[by]} translated`,
    expected: wanted.length === 0 ? 'unknown' : `≥ ${formatCount(minOf(wanted))}`,
    seen: seen.length === 0 ? 'unknown' : formatCount(minOf(seen)),
    ok: measurements.length > 0 && all,
  }
}

/** Without counters a run proves nothing. */
export function proof({ settings, measurements }: ProofInput): Observation[] {
  const arm = translationIn(settings)
  const observe = (label: string, metric: string, isHere: boolean): Observation =>
    observePassed({ label, metric, perTransaction: isHere ? 0 : null }, measurements)
  return [
    observe('packets of a call that left the client for the service', 'leftForService', arm !== 'socket'),
    observe('packets of a call that left the client for the backend', 'leftForBackend', arm === 'socket'),
    ...translators.map((by) =>
      by === arm
        ? allBy(by, measurements)
        : observe(`connections that ${where[by]} translated`, translatedBy[by], false),
    ),
  ]
}
