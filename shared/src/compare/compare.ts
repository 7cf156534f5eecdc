/** From two arms' measurements to an effect, its interval and a verdict. Pure. */
import { armPhraseOf } from '../features/arms.ts'
import type { ComparedArm, ComparedRow, Comparison, RowRole } from './comparison.ts'
import { compareRow, type Family } from './row.ts'
import { sentenceFor, technicalFor } from './sentences.ts'
import { commonPlaces, measuredOnly, seriesOf } from './series.ts'
import type { Clock } from '../measure/clock.ts'
import { acrossClocks } from '../measure/counted-words.ts'
import type { Order } from '../measure/experiment.ts'
import { benchmarkKind } from '../features/metrics.ts'
import type { Measurement } from '../measure/measurement.ts'
import type { MetricId } from '../measure/metrics.ts'
import { RESAMPLES, SEED } from './stats/bootstrap.ts'
import { commonTrend, ownTrend, percentOver, type Series, type Trend } from './stats/trend.ts'

export interface CompareOptions {
  /** How the measurements were taken. @defaultValue `sequential` */
  readonly order?: Order
  /** The subject of the sentences: `80,000-byte requests over IPv4`. */
  readonly subject?: string
  /** The arms' names within sentences. @defaultValue by the settings of their measurements */
  readonly names?: { readonly off: string; readonly on: string }
  /** Only these rows: for an estimate during the experiment. */
  readonly only?: readonly MetricId[]
  /** The trend of a metric that more arms than these two share. @defaultValue the trend of these two */
  readonly trendOf?: (metric: MetricId) => Trend | null
  /** The experiment's comparisons, if there are several and they are judged together: of the main metric. */
  readonly family?: Family
  /** The experiment's comparisons, of which this one is judged by itself. @defaultValue 1 */
  readonly among?: number
}

/** The clock of the machine that measured an arm. */
function clockOf([first]: readonly Measurement[]): Clock {
  return first?.fingerprint?.instructionsPerMicrosecond ?? null
}

/**
 * The metrics that both arms have, in the order of the first arm's tool: its main metric comes first. None if their clocks have
 * different units: nothing that they have in common decides a verdict.
 */
function metricsOf(off: readonly Measurement[], on: readonly Measurement[]): MetricId[] {
  if (acrossClocks([...off.slice(0, 1), ...on.slice(0, 1)])) return []
  const [before, after] = [off, on].map(([first]) =>
    first === undefined ? [] : benchmarkKind(first.benchmark, first.values).compared,
  )
  return (before ?? []).filter((metric) => after?.includes(metric))
}

/** The tool of all runs; null if they differ. */
function toolOf(...arms: (readonly Measurement[])[]): string | null {
  const [tool, ...others] = new Set(arms.flatMap((arm) => arm.map(({ benchmark }) => benchmark.tool)))
  return tool === undefined || others.length > 0 ? null : tool
}

function driftOf(own: Series, common: Trend | null): ComparedArm['drift'] {
  const trend = common ?? ownTrend(own)
  return trend === null ? null : { percent: percentOver(trend.slope, own), p: trend.p }
}

/** The main metric is the verdict; the other metrics are exploratory. */
function roleOf(index: number, { better }: Pick<ComparedRow, 'better'>): RowRole {
  if (better === 'neither') return 'explains'
  return index === 0 ? 'verdict' : 'exploratory'
}

/** The arm's name, if the caller gives none. */
function usualName([first]: readonly Measurement[]): string {
  return first === undefined ? '' : (armPhraseOf(first) ?? first.arm)
}

/**
 * Compares two arms by the ratio of their medians: a bootstrap interval, the rank test and the verdict for each metric.
 * `improved` and `worse` need p below 0.05, an interval without 1, and a difference above the tool's resolution. The verdict of
 * one comparison among several has both from all of them together (`family`); only the main metric is a verdict.
 * `docs/statistics.md` describes the calibration.
 *
 * @param off the arm to compare with, in the order taken; warm-ups are counted and left out
 * @param on the other arm
 * @returns null when an arm is empty or has no main metric, and for arms whose clocks have different units
 */
export function compareArms(
  off: readonly Measurement[],
  on: readonly Measurement[],
  { order: taken = 'sequential', names, subject, only, trendOf, family, among = 1 }: CompareOptions = {},
): Comparison | null {
  const runs = { off: measuredOnly(off), on: measuredOnly(on) }
  const [offPlaces = null, onPlaces = null] = (taken === 'interleaved' && commonPlaces([runs.off, runs.on])) || []
  const clock = clockOf(runs.off)
  const compared = metricsOf(runs.off, runs.on)
    .filter((metric) => only === undefined || only.includes(metric))
    .flatMap((metric, index) => {
      const [before, after] = [seriesOf(runs.off, metric, offPlaces), seriesOf(runs.on, metric, onPlaces)]
      const shared = trendOf ?? (() => commonTrend([before, after]))
      const common = offPlaces === null ? null : shared(metric)
      const row = compareRow(metric, before, after, common, index === 0 ? family : undefined, clock)
      return row === null ? [] : [{ row: { ...row, role: roleOf(index, row) }, before, after, common }]
    })
  const [first] = compared
  if (first === undefined) return null
  const { row: main, before, after, common } = first
  const describe = (arm: readonly Measurement[], left: number, name: string, series: Series): ComparedArm => ({
    arm: arm[0]?.arm ?? '',
    name,
    runs: left,
    warmups: arm.length - left,
    drift: driftOf(series, common),
  })
  const arms = {
    off: describe(off, runs.off.length, names?.off ?? usualName(off), before),
    on: describe(on, runs.on.length, names?.on ?? usualName(on), after),
  }
  const control: Comparison['control'] =
    family === undefined
      ? { method: 'none', comparisons: among }
      : { method: 'dunnett-sidak', comparisons: family.comparisons }
  const words = { main, ...arms, order: taken, common: common !== null, subject: subject ?? null, control }
  return {
    ...arms,
    order: taken,
    tool: toolOf(runs.off, runs.on),
    rows: compared.map(({ row }) => row),
    verdict: main.verdict,
    control,
    sentence: sentenceFor(words),
    technical: technicalFor(words),
    seed: SEED,
    resamples: RESAMPLES,
  }
}
