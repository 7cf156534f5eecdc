/** Two arms' measurements in, an effect and a plain sentence out. Pure, for server, page and scripts alike. */
import { z } from 'zod'
import { measurement, median, type Measurement } from './measurement.ts'
import { familyName, formatChange, formatCount, formatTps } from './units.ts'

export const comparedMetric = z.enum(['tps', 'min', 'mean', 'p50', 'p90', 'p99', 'packetsPerRequest'])
export type ComparedMetric = z.infer<typeof comparedMetric>

export const comparedRow = z.strictObject({
  metric: comparedMetric,
  /** Median over the arm's repeats, in the metric's own unit: TPS, µs, packets. */
  off: z.number(),
  on: z.number(),
  changePercent: z.number(),
})
export type ComparedRow = z.infer<typeof comparedRow>

export const comparison = z.strictObject({
  off: z.array(measurement).min(1),
  on: z.array(measurement).min(1),
  /** TPS first; a metric that either arm lacks is left out. */
  rows: z.array(comparedRow).min(1),
  /** True when some repeat without BIG TCP was at least as fast as some repeat with it, or the other way round. */
  overlap: z.boolean(),
  sentence: z.string(),
})
export type Comparison = z.infer<typeof comparison>

function valueOf(of: Measurement, metric: ComparedMetric): number | null {
  if (metric === 'tps') return of.tps
  if (metric === 'packetsPerRequest') return of.packets?.perRequest ?? null
  return of.latency[metric]
}

function rowOf(metric: ComparedMetric, off: readonly Measurement[], on: readonly Measurement[]): ComparedRow | null {
  const offValues = off.map((one) => valueOf(one, metric)).filter((value) => value !== null)
  const onValues = on.map((one) => valueOf(one, metric)).filter((value) => value !== null)
  const before = median(offValues)
  const after = median(onValues)
  if (!Number.isFinite(before) || !Number.isFinite(after) || before === 0) return null
  return { metric, off: before, on: after, changePercent: (after / before - 1) * 100 }
}

function sentenceFor(
  row: ComparedRow,
  overlap: boolean,
  off: readonly Measurement[],
  on: readonly Measurement[],
): string {
  const first = off[0]
  const subject =
    first === undefined
      ? 'These requests'
      : `${formatCount(first.requestBytes)}-byte requests over ${familyName[first.family]}`
  const counts = `median of ${on.length} against ${off.length}`
  const figures = `${formatTps(row.on)} with BIG TCP, ${formatTps(row.off)} without, ${formatChange(row.changePercent)} (${counts})`
  if (overlap) return `${subject}: ${figures}. The repeats overlap, so take this as no clear difference.`
  const verdict =
    row.changePercent > 0 ? 'every repeat with BIG TCP was faster' : 'every repeat with BIG TCP was slower'
  const few = off.length < 3 || on.length < 3 ? ' With so few repeats that can be chance.' : ''
  return `${subject}: ${figures}; ${verdict}.${few}`
}

/**
 * Compares two arms by the ratio of their medians.
 *
 * @param off measurements without BIG TCP, in the order taken
 * @param on measurements with it
 * @returns the rows, and null when an arm is empty or TPS can't be compared
 */
export function compareArms(off: readonly Measurement[], on: readonly Measurement[]): Comparison | null {
  const rows = comparedMetric.options.map((metric) => rowOf(metric, off, on)).filter((row) => row !== null)
  const tps = rows.find((row) => row.metric === 'tps')
  if (tps === undefined) return null
  const offTps = off.map((one) => one.tps)
  const onTps = on.map((one) => one.tps)
  const overlap = Math.min(...offTps) <= Math.max(...onTps) && Math.min(...onTps) <= Math.max(...offTps)
  return { off: [...off], on: [...on], rows, overlap, sentence: sentenceFor(tps, overlap, off, on) }
}
