/**
 * Upgrades measurements, samples and comparisons of versions 1 and 2, in which each tool had its own fields and events,
 * and comparisons of version 3, in which no comparison had a role or was judged with other comparisons. Pure.
 */
import { z } from 'zod'
import { compareArms } from '../../compare/compare.ts'
import { toolOf } from '../../features/metrics.ts'
import { measurement } from '../../measure/measurement.ts'
import { isObject, type Raw } from './raw.ts'

const latencies = ['min', 'mean', 'p50', 'p90', 'p99', 'max', 'stddev']

/** The fields of version 2 as values by metric. */
function valuesOf(raw: Raw): Record<string, unknown> {
  const { tps, latency, packets, throughput, bytesPerPacket, cpuSecondsPerGigabit, retransmits } = raw
  const counted = isObject(packets) ? packets : null
  const values = {
    tps,
    throughput,
    ...Object.fromEntries(latencies.map((name) => [name, isObject(latency) ? latency[name] : undefined])),
    packetsPerRequest: 'packets' in raw ? (counted?.['perRequest'] ?? null) : undefined,
    packetsPerResponse: 'packets' in raw ? (counted?.['perResponse'] ?? null) : undefined,
    acks: 'packets' in raw ? (counted?.['acks'] ?? null) : undefined,
    bytesPerPacket,
    cpuSecondsPerGigabit,
    retransmits,
  }
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}

const moved = new Set(
  'tool requestBytes responseBytes tps latency packets throughput bytesPerPacket cpuSecondsPerGigabit retransmits'.split(
    ' ',
  ),
)

/** In version 1 every measurement was netperf's TCP_RR. */
function upgradeMeasurement(raw: unknown): unknown {
  if (!isObject(raw) || 'values' in raw) return raw
  const { tool = 'tcp-rr', requestBytes, responseBytes } = raw
  const sizes = requestBytes === undefined ? {} : { requestBytes, responseBytes }
  const rest = Object.entries(raw).filter(([key]) => !moved.has(key))
  return { ...Object.fromEntries(rest), benchmark: { tool, ...sizes }, values: valuesOf(raw) }
}

/** Requests had samples of TPS; streams had intervals in a separate event. */
function upgradeSample(raw: Raw): unknown {
  const { atSeconds, tps, repeat } = raw
  const sample = { atSeconds, seconds: null, omitted: false, values: { tps } }
  return 'sample' in raw ? raw : { type: 'sample.taken', repeat, sample }
}

function upgradeInterval({ repeat, interval }: Raw): unknown {
  if (!isObject(interval)) return { type: 'sample.taken', repeat, sample: interval }
  const { bitsPerSecond, retransmits, cwnd, ...at } = interval
  return { type: 'sample.taken', repeat, sample: { ...at, values: { throughput: bitsPerSecond, retransmits, cwnd } } }
}

const version1 = z.object({
  off: z.array(z.preprocess(upgradeMeasurement, measurement)),
  on: z.array(z.preprocess(upgradeMeasurement, measurement)),
})

/** In version 1 a comparison contained its measurements and no interval, so it is computed again. */
function remadeComparison(raw: unknown): unknown {
  const { data } = version1.safeParse(raw)
  const [first] = data?.off ?? []
  if (data === undefined || first === undefined) return raw
  const subject = toolOf(first.benchmark).subject(first.benchmark, first.family)
  return compareArms(data.off, data.on, { subject }) ?? raw
}

function armOf(comparison: unknown, side: 'off' | 'on'): unknown {
  const of = isObject(comparison) ? comparison[side] : undefined
  return isObject(of) ? of['arm'] : undefined
}

/** A step's comparison had its own event. */
function upgradeComparison({ comparison: raw }: Raw): Raw {
  const comparison = remadeComparison(raw)
  const [against, arm] = [armOf(comparison, 'off'), armOf(comparison, 'on')]
  return { type: 'cases.compared', comparisons: [{ caseId: null, arm, against, comparison }] }
}

/** Before version 4, each comparison was judged by itself, and the rows had no role. */
function upgradeControl(comparison: unknown, comparisons: number): unknown {
  if (!isObject(comparison) || 'control' in comparison || !Array.isArray(comparison['rows'])) return comparison
  const rows = comparison['rows'].map((row: unknown, index) => {
    if (!isObject(row)) return row
    const role = row['better'] === 'neither' ? 'explains' : index === 0 ? 'verdict' : 'exploratory'
    return { adjustedP: null, role, ...row }
  })
  return { ...comparison, rows, control: { method: 'none', comparisons } }
}

function upgradeCompared(raw: Raw): unknown {
  const all: unknown = raw['comparisons']
  if (!Array.isArray(all)) return raw
  const comparisons = all.map((one: unknown) =>
    isObject(one) ? { ...one, comparison: upgradeControl(one['comparison'], all.length) } : one,
  )
  return { ...raw, comparisons }
}

/** Upgrades events with measurements or comparisons, and returns other events unchanged. */
export function upgradeMeasured(raw: unknown): unknown {
  if (!isObject(raw)) return raw
  switch (raw['type']) {
    case 'measurement.taken':
      return { ...raw, measurement: upgradeMeasurement(raw['measurement']) }
    case 'sample.taken':
      return upgradeSample(raw)
    case 'interval.taken':
      return upgradeInterval(raw)
    case 'comparison.made':
      return upgradeCompared(upgradeComparison(raw))
    case 'cases.compared':
      return upgradeCompared(raw)
    default:
      return raw
  }
}

/** The history's summary of an ended run: version 1 had one arm, and both versions had a field for each median. */
export function upgradeMeasuredSummary(raw: unknown): unknown {
  if (!isObject(raw) || !isObject(raw['measured']) || 'values' in raw['measured']) return raw
  const {
    arm,
    arms = [arm],
    medianTps,
    medianThroughput = null,
    medianP99,
    packetsPerRequest,
    ...rest
  } = raw['measured']
  const known = {
    ...(medianTps === null ? {} : { tps: medianTps, p99: medianP99, packetsPerRequest }),
    throughput: medianThroughput,
  }
  // The tool of a stream was not stored, nor were several arms.
  const tool = medianTps === null ? null : 'tcp-rr'
  const values = medianTps === null && medianThroughput === null ? {} : known
  return { ...raw, measured: { ...rest, arms, tool, values } }
}
