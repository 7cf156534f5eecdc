/** Proves that an arm's table was loaded, that its connections were open, and which way the replies took. */
import { i18n } from '../../base/language.ts'
import { maxOf, minOf } from '../../measure/extremes.ts'
import { valuesOf } from '../../measure/measurement.ts'
import { formatCount } from '../../base/units.ts'
import type { Observation } from '../../base/observation.ts'
import { transactionsOf } from '../counted-packets.ts'
import type { ProofInput } from '../feature.ts'
import { heldConnections, heldConnectionsBenchmark } from './held-connections.ts'
import { balancingIn } from './settings.ts'

/** Each run has the value, and the worst of them is as expected. */
function observe(
  { measurements }: ProofInput,
  {
    label,
    metric,
    expected,
    worst,
    isRight,
  }: {
    readonly label: string
    readonly metric: string
    readonly expected: string
    readonly worst: (values: readonly number[]) => number
    readonly isRight: (value: number) => boolean
  },
): Observation {
  const seen = valuesOf(measurements, metric)
  const known = seen.length > 0 && seen.length === measurements.length
  return {
    label,
    expected,
    seen: seen.length === 0 ? i18n.t('unknown') : formatCount(worst(seen)),
    ok: known && seen.every(isRight),
  }
}

function held(input: ProofInput): Observation[] {
  const { connections } = heldConnectionsBenchmark.parse(input.benchmark)
  return [
    observe(input, {
      label: i18n.t('connections open before the event'),
      metric: 'openedConnections',
      expected: formatCount(connections),
      worst: minOf,
      isRight: (value) => value === connections,
    }),
    observe(input, {
      label: i18n.t('buckets that differ from the arm’s table'),
      metric: 'wrongBuckets',
      expected: '0',
      worst: maxOf,
      isRight: (value) => value === 0,
    }),
  ]
}

/** Halfway between a packet for each request alone, and one for its response, too. */
const BOTH_WAYS = 1.5

/** A transaction's request passes the balancer; its response does so unless the backend replies directly. */
function passed({ settings, measurements }: ProofInput): Observation[] {
  const transactions = measurements.map(transactionsOf)
  // A stream has none.
  if (measurements.length > 0 && transactions.every((count) => count === 0)) return []
  const shares = measurements.map(
    ({ values }, run) => (values['balancerPackets'] ?? Number.NaN) / (transactions[run] ?? 0),
  )
  const isDirect = balancingIn(settings).replies === 'direct'
  const connection = measurements.every(({ benchmark }) => benchmark.tool === 'tcp-crr') ? CONNECTION : 1
  const limit = BOTH_WAYS * connection
  const ok = shares.length > 0 && shares.every((share) => (isDirect ? share < limit : share >= limit))
  const seen = shares.length === 0 ? Number.NaN : isDirect ? maxOf(shares) : minOf(shares)
  return [
    {
      label: i18n.t('packets at the balancer for each transaction'),
      expected: `${isDirect ? '<' : '≥'} ${limit.toFixed(1)}`,
      seen: Number.isNaN(seen) ? i18n.t('unknown') : seen.toFixed(2),
      ok,
    },
  ]
}

/** A connection of one transaction has five packets from the client: its own handshake, request and end. */
const CONNECTION = 5

export function proof(input: ProofInput): Observation[] {
  return input.benchmark.tool === heldConnections.tool ? held(input) : passed(input)
}
