/** Proves by the packets between the nodes whether big packets went through the tunnel whole, and whether it encrypts. */
import { i18n } from '../../base/language.ts'
import { maxOf, minOf } from '../../measure/extremes.ts'
import { valueOf, valuesOf, type Measurement } from '../../measure/measurement.ts'
import type { Observation } from '../../base/observation.ts'
import { formatCount } from '../../base/units.ts'
import { LEGACY_MAX_SIZE, type DatapathState } from '../../testbed/reading.ts'
import { tcpRrBenchmark } from '../../tools/netperf/tcp-rr.ts'
import { transactionsOf } from '../counted-packets.ts'
import type { ProofInput } from '../feature.ts'
import { MTU, TUNNEL } from './places.ts'
import { isEncrypted, sizeIn, tunnelIn } from './settings.ts'

/** The labels of the observations that count. */
export const BETWEEN_NODES = /*i18n*/ 'packets between the nodes for a transaction'
export const IN_PLAIN_TEXT = /*i18n*/ 'packets between the nodes in plain text'

/** The largest packet that both ends of the tunnel take; null if it is unknown, or without a tunnel. */
export function tunnelMost({ kernel }: Pick<DatapathState, 'kernel'>): number | null {
  const ends = kernel.flatMap(({ device, tsoMaxSize }) =>
    device === TUNNEL && tsoMaxSize !== null ? [tsoMaxSize] : [],
  )
  return ends.length === 0 ? null : minOf(ends)
}

type Expected = 'whole' | 'halves' | 'cut'
type Range = readonly [least: number, most: number]

/** Packets between the nodes for a transaction of 65 to 128 KiB each way. Bare acknowledgements double them, or come along with data. */
const between: Readonly<Record<Expected, Range>> = { whole: [1.8, 5], halves: [3.6, 10], cut: [20, Infinity] }
const betweenInWords = {
  whole: /*i18n*/ '2 to 4',
  halves: /*i18n*/ '4 to 8',
  cut: /*i18n*/ 'over 20: no packet is larger than the MTU',
}
/** Data packets of a request where they arrive. */
const arriving: Readonly<Record<Expected, Range>> = { whole: [0.9, 1.5], halves: [1.5, 3], cut: [1.5, Infinity] }
/** Neighbours and handshakes are never encrypted. */
const PLAIN_ALLOWED = 20
const PLAIN_SHARE = 0.02
const arrivingInWords = { whole: '1', halves: '2', cut: /*i18n*/ 'several' }

function within(
  label: string,
  [least, most]: Range,
  expected: string,
  seen: readonly number[],
  measurements: readonly Measurement[],
): Observation {
  const whole = seen.length > 0 && seen.length === measurements.length
  return {
    label,
    expected,
    seen:
      seen.length === 0
        ? i18n.t('unknown')
        : i18n.t('{least} to {most}', { least: minOf(seen).toFixed(2), most: maxOf(seen).toFixed(2) }),
    ok: whole && minOf(seen) >= least && maxOf(seen) <= most,
  }
}

/** An encrypted tunnel lets next to nothing through in plain text, and without encryption everything is. */
function plainText({ settings, measurements }: ProofInput): Observation {
  const encrypted = isEncrypted(tunnelIn(settings))
  const seen = measurements.flatMap((one) => {
    const [plain, all] = [valueOf(one, 'packetsInPlainText'), valueOf(one, 'packetsBetweenNodes')]
    return plain === null || all === null ? [] : [{ plain, all, share: Math.max(PLAIN_ALLOWED, all * PLAIN_SHARE) }]
  })
  const isRight = ({ plain, all, share }: (typeof seen)[number]): boolean =>
    all > 0 && (encrypted ? plain <= Math.min(share, all / 2) : plain === all)
  const shown = seen.map(({ plain, all }) =>
    i18n.t('{plain} of {all}', { plain: formatCount(plain), all: formatCount(all) }),
  )
  return {
    label: i18n.t(IN_PLAIN_TEXT),
    expected: encrypted
      ? i18n.t('at most {count}, or 2 %: neighbours and handshakes', { count: PLAIN_ALLOWED })
      : i18n.t('all'),
    seen: shown.length === 0 ? i18n.t('unknown') : shown.join(', '),
    ok: seen.length > 0 && seen.length === measurements.length && seen.every(isRight),
  }
}

/** Proves the tunnel's encryption; for messages that do not fit into a packet, also the size of packets. */
export function proof(input: ProofInput): Observation[] {
  return [plainText(input), ...pieces(input)]
}

function pieces({ settings, benchmark, measurements, datapath }: ProofInput): Observation[] {
  const { data } = tcpRrBenchmark.safeParse(benchmark)
  if (data === undefined || Math.min(data.requestBytes, data.responseBytes) <= LEGACY_MAX_SIZE) return []
  const size = sizeIn(settings)
  const encrypted = isEncrypted(tunnelIn(settings))
  const limit = tunnelIn(settings) === 'none' ? size : tunnelMost(datapath)
  const limitSeen = limit === null ? i18n.t('unknown') : formatCount(limit)
  const label = i18n.t('largest packet that the way between the nodes takes')
  const known = { label, expected: i18n.t('known'), seen: limitSeen, ok: limit !== null }
  if (limit === null) return [known]
  const expected = encrypted || size === MTU || limit < size ? 'cut' : size === LEGACY_MAX_SIZE ? 'halves' : 'whole'
  const rates = measurements.flatMap((one) => {
    const [count, transactions] = [valueOf(one, 'packetsBetweenNodes'), transactionsOf(one)]
    return count === null || transactions === 0 ? [] : [count / transactions]
  })
  const requests = valuesOf(measurements, 'packetsPerRequest')
  return [
    known,
    within(i18n.t(BETWEEN_NODES), between[expected], i18n.t(betweenInWords[expected]), rates, measurements),
    // Behind its decryption the kernel joins packets again, and how many is a matter of timing.
    ...(encrypted
      ? []
      : [
          within(
            i18n.t('data packets of a request'),
            arriving[expected],
            i18n.t(arrivingInWords[expected]),
            requests,
            measurements,
          ),
        ]),
  ]
}
