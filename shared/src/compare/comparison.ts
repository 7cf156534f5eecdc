/** A comparison of two arms: effects, intervals and verdicts, as data. */
import { z } from 'zod'
import { toolId } from '../measure/benchmark.ts'
import { order } from '../measure/experiment.ts'
import { better, metricId } from '../measure/metrics.ts'

export const verdict = z.enum(['improved', 'worse', 'no-difference', 'too-few'])
export type Verdict = z.infer<typeof verdict>

/**
 * The purpose of a row. The main metric is the `verdict`. The other metrics are `exploratory`: each is judged by
 * itself, at the 5 % of a single comparison, so of eight rows one may seem to differ by chance. A row that `explains`
 * has no verdict.
 */
export const rowRole = z.enum(['verdict', 'exploratory', 'explains'])
export type RowRole = z.infer<typeof rowRole>

/** How an experiment keeps its false claims rare. */
export const control = z.strictObject({
  /** `dunnett-sidak`: all comparisons are judged together ({@link judgeTogether}). `none`: this one is judged by itself. */
  method: z.enum(['none', 'dunnett-sidak']),
  /** The experiment's comparisons of a main metric, this one among them. */
  comparisons: z.number().int().positive(),
})
export type Control = z.infer<typeof control>

export const comparedRow = z.strictObject({
  metric: metricId,
  better,
  role: rowRole,
  /**
   * Median of each arm, in the metric's unit: TPS, bit/s, µs, packets, bytes, s. If the arms were interleaved and share a
   * trend, the values are adjusted to the middle of the experiment.
   */
  off: z.number(),
  on: z.number(),
  /** Every run, in the order taken. */
  offValues: z.array(z.number()),
  onValues: z.array(z.number()),
  /** `on / off`: the ratio of the medians. */
  ratio: z.number(),
  /**
   * 95 % interval of the ratio; null with too few runs. For a verdict among several comparisons that are judged
   * together, it is simultaneous with the other verdicts' intervals. Otherwise it is the bootstrap's.
   */
  interval: z.strictObject({ low: z.number(), high: z.number() }).nullable(),
  changePercent: z.number(),
  /** Two-sided p-value of the rank test; null with too few runs. */
  p: z.number().min(0).max(1).nullable(),
  /** p adjusted for all comparisons of the experiment, never below `p`; null if the row is judged by itself. */
  adjustedP: z.number().min(0).max(1).nullable(),
  /** Cliff's delta, -1 to 1: how much more often a run of `on` is above one of `off` than below; null with too few runs. */
  effectSize: z.number().min(-1).max(1).nullable(),
  /** The tool's resolution at these values: smaller differences do not count. Null if it is finer than any noise. */
  resolution: z.number().nullable(),
  /** Never `improved` or `worse` for a metric that only explains a result (`better` is `neither`). */
  verdict,
})
export type ComparedRow = z.infer<typeof comparedRow>

const comparedArm = z.strictObject({
  /** The arm's id, and its name for people. */
  arm: z.string(),
  name: z.string(),
  runs: z.number().int().nonnegative(),
  /** Excluded runs. */
  warmups: z.number().int().nonnegative(),
  /** A significant trend within the arm, in percent from its first run to its last; null if none was found. */
  drift: z.strictObject({ percent: z.number(), p: z.number() }).nullable(),
})
export type ComparedArm = z.infer<typeof comparedArm>

export const comparison = z.strictObject({
  off: comparedArm,
  on: comparedArm,
  order,
  /** The tool of both arms; null if they differ, and in comparisons from before it was recorded. */
  tool: toolId.nullable().default(null),
  /** The main metric first; only metrics that both arms have. */
  rows: z.array(comparedRow).min(1),
  /** The main metric's verdict. */
  verdict,
  control,
  /** For a learner. */
  sentence: z.string(),
  /** For an engineer: the test, its figures, the counts. */
  technical: z.string(),
  /** Parameters of the bootstrap: with them, the same measurements give the same interval. */
  seed: z.number().int(),
  resamples: z.number().int().positive(),
})
export type Comparison = z.infer<typeof comparison>

/** An arm against the first one, for one case. */
export const caseComparison = z.strictObject({
  /** Null if each arm was measured in a separate step. */
  caseId: z.string().nullable(),
  arm: z.string(),
  against: z.string(),
  comparison,
})
export type CaseComparison = z.infer<typeof caseComparison>

/** A comparison as a small picture: each arm's values of the main metric, on one axis. */
export const picture = z.strictObject({
  verdict,
  /** `12.4 % faster`. */
  words: z.string(),
  /** The metric, and the case where there are several. */
  title: z.string(),
  arms: z.array(
    z.strictObject({
      arm: z.string(),
      label: z.string(),
      /** Its index among the experiment's arms, which gives it its hue. */
      place: z.number().int().nonnegative(),
      median: z.string(),
      /** Each value's place on the axis, from 0 for the smallest of all arms to 1 for the largest. */
      at: z.array(z.number().min(0).max(1)),
    }),
  ),
})
export type Picture = z.infer<typeof picture>

/** The verdict of a run in short. */
export const briefVerdict = comparedRow.pick({ metric: true, changePercent: true, verdict: true }).extend({
  /** How many comparisons the run made; the first three fields are the last comparison's: the last arm with the first. */
  comparisons: z.number().int().positive(),
  improved: z.number().int().nonnegative(),
  worse: z.number().int().nonnegative(),
  /** The run's result for a learner. */
  sentence: z.string(),
})
export type BriefVerdict = z.infer<typeof briefVerdict>
