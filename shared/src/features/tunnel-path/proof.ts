/** Proves by the packets between the nodes whether big packets went through the tunnel whole. */
import { maxOf, minOf } from '../../measure/extremes.ts'
import { valueOf, valuesOf, type Measurement } from '../../measure/measurement.ts'
import type { Observation } from '../../base/observation.ts'
import { formatCount } from '../../base/units.ts'
import { LEGACY_MAX_SIZE, type DatapathState } from '../../testbed/reading.ts'
import { tcpRrBenchmark } from '../../tools/netperf/tcp-rr.ts'
import { transactionsOf } from '../counted-packets.ts'
import type { ProofInput } from '../feature.ts'
import { TUNNEL } from './places.ts'
import { sizeIn, tunnelIn } from './settings.ts'

/** The label of the observation that counts. */
export const BETWEEN_NODES = 'packets between the nodes for a transaction'

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
const betweenInWords = { whole: '2 to 4', halves: '4 to 8', cut: 'over 20: each packet is cut before the tunnel' }
/** Data packets of a request where they arrive. */
const arriving: Readonly<Record<Expected, Range>> = { whole: [0.9, 1.5], halves: [1.5, 3], cut: [1.5, Infinity] }
const arrivingInWords = { whole: '1', halves: '2', cut: 'several' }

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
    seen: seen.length === 0 ? 'unknown' : `${minOf(seen).toFixed(2)} to ${maxOf(seen).toFixed(2)}`,
    ok: whole && minOf(seen) >= least && maxOf(seen) <= most,
  }
}

/** Empty for other tools and for messages that fit into one packet anyway. */
export function proof({ settings, benchmark, measurements, datapath }: ProofInput): Observation[] {
  const { data } = tcpRrBenchmark.safeParse(benchmark)
  if (data === undefined || Math.min(data.requestBytes, data.responseBytes) <= LEGACY_MAX_SIZE) return []
  const size = sizeIn(settings)
  const limit = tunnelIn(settings) === 'none' ? size : tunnelMost(datapath)
  const limitSeen = limit === null ? 'unknown' : formatCount(limit)
  const label = 'largest packet that the way between the nodes takes'
  const known = { label, expected: 'known', seen: limitSeen, ok: limit !== null }
  if (limit === null) return [known]
  const expected: Expected = size === LEGACY_MAX_SIZE ? 'halves' : limit >= size ? 'whole' : 'cut'
  const rates = measurements.flatMap((one) => {
    const [count, transactions] = [valueOf(one, 'packetsBetweenNodes'), transactionsOf(one)]
    return count === null || transactions === 0 ? [] : [count / transactions]
  })
  const requests = valuesOf(measurements, 'packetsPerRequest')
  return [
    known,
    within(BETWEEN_NODES, between[expected], betweenInWords[expected], rates, measurements),
    within('data packets of a request', arriving[expected], arrivingInWords[expected], requests, measurements),
  ]
}
