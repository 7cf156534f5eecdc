/** Two arms' measurements in; an effect, its interval and a verdict out. Pure, for server, page and scripts alike. */
import { z } from 'zod'
import { order, type Order } from './experiment.ts'
import { isRequestResponse, median, type Measurement } from './measurement.ts'

/** What is compared: of a request/response test and of a stream, whichever the measurements have. */
export const comparedMetric = z.enum([
  'tps',
  'throughput',
  'min',
  'mean',
  'p50',
  'p90',
  'p99',
  'packetsPerRequest',
  'bytesPerPacket',
  'cpuSecondsPerGigabit',
])
export type ComparedMetric = z.infer<typeof comparedMetric>

export const verdict = z.enum(['improved', 'worse', 'no-difference', 'too-few'])
export type Verdict = z.infer<typeof verdict>

export const comparedRow = z.strictObject({
  metric: comparedMetric,
  /** Which direction is an improvement; `neither` for what explains and is no goal. */
  better: z.enum(['more', 'less', 'neither']),
  /** Median of each arm, in the metric's own unit: TPS, bit/s, µs, packets, bytes, s. */
  off: z.number(),
  on: z.number(),
  /** Every run, in the order taken. */
  offValues: z.array(z.number()),
  onValues: z.array(z.number()),
  /** `on / off`: the ratio of the medians. */
  ratio: z.number(),
  /** 95 % bootstrap interval of the ratio; null with too few runs. */
  interval: z.strictObject({ low: z.number(), high: z.number() }).nullable(),
  changePercent: z.number(),
  /** Two-sided p-value of the rank test; null with too few runs. */
  p: z.number().min(0).max(1).nullable(),
  /** Cliff's delta, -1 to 1: how much more often a run of `on` is above one of `off` than below; null with too few runs. */
  effectSize: z.number().min(-1).max(1).nullable(),
  /** The tool's own resolution at these values: a smaller difference is none. Null where it is finer than any noise. */
  resolution: z.number().nullable(),
  verdict,
})
export type ComparedRow = z.infer<typeof comparedRow>

const comparedArm = z.strictObject({
  /** The arm's id, and its name for people. */
  arm: z.string(),
  name: z.string(),
  runs: z.number().int().nonnegative(),
  /** Thrown away. */
  warmups: z.number().int().nonnegative(),
  /** A trend within the arm that chance hardly makes: percent from its first run to its last; null where none was found. */
  drift: z.strictObject({ percent: z.number(), p: z.number() }).nullable(),
})
export type ComparedArm = z.infer<typeof comparedArm>

export const comparison = z.strictObject({
  off: comparedArm,
  on: comparedArm,
  order,
  /** The main metric first, TPS or throughput; a metric that either arm lacks is left out. */
  rows: z.array(comparedRow).min(1),
  /** The main metric's. */
  verdict,
  /** For a learner. */
  sentence: z.string(),
  /** For an engineer: the test, its figures, the counts. */
  technical: z.string(),
  /** Of the bootstrap: with these the same measurements give the same interval. */
  seed: z.number().int(),
  resamples: z.number().int().positive(),
})
export type Comparison = z.infer<typeof comparison>

/** One of an experiment's comparisons: an arm against the first one, for one case. */
export const caseComparison = z.strictObject({
  caseId: z.string(),
  arm: z.string(),
  against: z.string(),
  comparison,
})
export type CaseComparison = z.infer<typeof caseComparison>

export interface CompareOptions {
  /** How the measurements were taken. @defaultValue `sequential` */
  readonly order?: Order
  /** What was measured, at the beginning of sentences: `80,000-byte requests over IPv4`. */
  readonly subject?: string
  /** What the two arms are called in sentences. */
  readonly names?: { readonly off: string; readonly on: string }
  /** Only these rows: for an estimate while the runs go on. */
  readonly only?: readonly ComparedMetric[]
}

/** A metric's value in one measurement; null where the measurement has none. */
export function valueOf(of: Measurement, metric: ComparedMetric): number | null {
  if (metric === 'throughput') return of.throughput
  if (metric === 'bytesPerPacket' || metric === 'cpuSecondsPerGigabit') return isRequestResponse(of) ? null : of[metric]
  if (!isRequestResponse(of)) return null
  if (metric === 'tps') return of.tps
  return metric === 'packetsPerRequest' ? (of.packets?.perRequest ?? null) : of.latency[metric]
}

function rowOf(metric: ComparedMetric, off: readonly Measurement[], on: readonly Measurement[]): ComparedRow | null {
  const values = (of: readonly Measurement[]): number[] =>
    of.map((one) => valueOf(one, metric)).filter((value) => value !== null)
  const [offValues, onValues] = [values(off), values(on)]
  const [before, after] = [median(offValues), median(onValues)]
  if (!Number.isFinite(before) || !Number.isFinite(after) || before === 0) return null
  const ratio = after / before
  return {
    metric,
    better: 'more',
    off: before,
    on: after,
    offValues,
    onValues,
    ratio,
    interval: null,
    changePercent: (ratio - 1) * 100,
    p: null,
    effectSize: null,
    resolution: null,
    verdict: 'too-few',
  }
}

/**
 * Compares two arms by the ratio of their medians.
 *
 * @param off the arm to compare with, in the order taken; what was taken to warm up is counted and left out
 * @param on the other arm
 * @returns null when an arm is empty or has no main metric
 */
export function compareArms(
  off: readonly Measurement[],
  on: readonly Measurement[],
  { order: taken = 'sequential', names = { off: 'without BIG TCP', on: 'with BIG TCP' }, only }: CompareOptions = {},
): Comparison | null {
  const [offTaken, onTaken] = [off, on].map((arm) => arm.filter(({ warmup }) => !warmup)) as [
    Measurement[],
    Measurement[],
  ]
  const rows = comparedMetric.options
    .filter((metric) => only === undefined || only.includes(metric))
    .flatMap((metric) => rowOf(metric, offTaken, onTaken) ?? [])
  const [main] = rows
  if (main === undefined) return null
  const told = (arm: readonly Measurement[], left: readonly Measurement[], name: string): ComparedArm => ({
    arm: arm[0]?.arm ?? '',
    name,
    runs: left.length,
    warmups: arm.length - left.length,
    drift: null,
  })
  return {
    off: told(off, offTaken, names.off),
    on: told(on, onTaken, names.on),
    order: taken,
    rows,
    verdict: main.verdict,
    sentence: '',
    technical: '',
    seed: 1,
    resamples: 1,
  }
}
