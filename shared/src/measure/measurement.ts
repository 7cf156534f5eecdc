/** The result of one benchmark run: values by metric, and the environment. */
import { z } from 'zod'
import { benchmark } from './benchmark.ts'
import { fingerprint } from './fingerprint.ts'
import { metricValues, type MetricId } from './metrics.ts'
import { epochMs, family } from '../base/units.ts'

/** An arm: `off`, `on`, `128k`, `mtu9000-on`. */
export const armId = z.string().regex(/^[a-z0-9][a-z0-9-]{0,60}$/)

export const measurement = z.strictObject({
  arm: armId,
  /** The case of an experiment; null in a step that measures a single case. */
  caseId: z.string().nullable().default(null),
  family,
  /** Its number in the run, from 1, counting warm-ups. */
  repeat: z.number().int().positive(),
  /** A warm-up run is shown but never compared. */
  warmup: z.boolean().default(false),
  startedAt: epochMs,
  elapsedSeconds: z.number().positive(),
  benchmark,
  values: metricValues,
  /** Null in measurements of versions without fingerprints. */
  fingerprint: fingerprint.nullable().default(null),
})
export type Measurement = z.infer<typeof measurement>

/** A live value that the tool reports while it runs. */
export const sample = z.strictObject({
  /** The end of its time, in seconds since the tool started. */
  atSeconds: z.number().nonnegative(),
  /** The length of its time in seconds; null if the tool does not report it. */
  seconds: z.number().positive().nullable(),
  /** In the time at the start that the tool leaves out of its result. */
  omitted: z.boolean(),
  values: metricValues,
})
export type Sample = z.infer<typeof sample>

/** A metric's value; null if it is unknown or was not measured. */
export function valueOf({ values }: { readonly values: Measurement['values'] }, metric: MetricId): number | null {
  return values[metric] ?? null
}

/** A metric's known values, in order. */
export function valuesOf(taken: readonly { readonly values: Measurement['values'] }[], metric: MetricId): number[] {
  return taken.flatMap((one) => valueOf(one, metric) ?? [])
}

/** The middle value; the mean of the two middle ones when the count is even. NaN for none. */
export function median(values: readonly number[]): number {
  if (values.length === 0) return Number.NaN
  const sorted = values.toSorted((a, b) => a - b)
  const half = Math.floor(sorted.length / 2)
  const upper = sorted[half] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? Number.NaN) + upper) / 2
}

/** A metric's median over the measurements that have it; null if none does. */
export function medianOf(
  taken: readonly { readonly values: Measurement['values'] }[],
  metric: MetricId,
): number | null {
  const known = valuesOf(taken, metric)
  return known.length === 0 ? null : median(known)
}
