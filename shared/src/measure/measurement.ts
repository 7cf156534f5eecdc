/** The result of one benchmark invocation: values by metric, and the environment that they were taken in. */
import { z } from 'zod'
import { benchmark } from './benchmark.ts'
import { fingerprint } from './fingerprint.ts'
import { metricValues, type MetricId } from './metrics.ts'
import { epochMs, family } from './units.ts'

/** An arm: `off`, `on`, `128k`, `mtu9000-on`. */
export const armId = z.string().regex(/^[a-z0-9][a-z0-9-]{0,30}$/)

export const measurement = z.strictObject({
  arm: armId,
  /** The case of an experiment; null in a step that measures one thing. */
  caseId: z.string().nullable().default(null),
  family,
  /** Its place in its run's order, from 1; those that are thrown away count too. */
  repeat: z.number().int().positive(),
  /** Taken to warm up and thrown away: shown, never compared. */
  warmup: z.boolean().default(false),
  startedAt: epochMs,
  elapsedSeconds: z.number().positive(),
  benchmark,
  values: metricValues,
  /** Null in measurements from before it was recorded. */
  fingerprint: fingerprint.nullable().default(null),
})
export type Measurement = z.infer<typeof measurement>

/** What the tool reports while it runs. */
export const sample = z.strictObject({
  /** Seconds since the invocation's own start at which it ended. */
  atSeconds: z.number().nonnegative(),
  /** Seconds that it covers; null where the tool does not say. */
  seconds: z.number().positive().nullable(),
  /** In the warm-up that the tool leaves out of its result. */
  omitted: z.boolean(),
  values: metricValues,
})
export type Sample = z.infer<typeof sample>

/** A metric's value; null where it is unknown or not measured. */
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

/** A metric's median over the measurements that know it; null where none does. */
export function medianOf(
  taken: readonly { readonly values: Measurement['values'] }[],
  metric: MetricId,
): number | null {
  const known = valuesOf(taken, metric)
  return known.length === 0 ? null : median(known)
}
