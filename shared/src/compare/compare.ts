/** From two arms' measurements to an effect, its interval and a verdict. Pure. */
import { armPhraseOf } from '../features/arms.ts'
import type { ComparedArm, Comparison } from './comparison.ts'
import { compareRow } from './row.ts'
import { sentenceFor, technicalFor } from './sentences.ts'
import type { Order } from '../measure/experiment.ts'
import { benchmarkKind } from '../features/metrics.ts'
import { valueOf, type Measurement } from '../measure/measurement.ts'
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
}

/** The metrics that both arms have, in the order of the first arm's tool: its main metric comes first. */
function metricsOf(off: readonly Measurement[], on: readonly Measurement[]): MetricId[] {
  const [before, after] = [off, on].map(([first]) =>
    first === undefined ? [] : benchmarkKind(first.benchmark, first.values).compared,
  )
  return (before ?? []).filter((metric) => after?.includes(metric))
}

type Places = readonly number[]

/** The runs' places in the order that both arms share; null if they share none. */
function commonPlaces(off: readonly Measurement[], on: readonly Measurement[]): { off: Places; on: Places } | null {
  const places = { off: off.map(({ repeat }) => repeat), on: on.map(({ repeat }) => repeat) }
  const grows = (of: Places): boolean => of.every((one, index) => index === 0 || one > (of[index - 1] ?? 0))
  const distinct = new Set([...places.off, ...places.on]).size === off.length + on.length
  return distinct && grows(places.off) && grows(places.on) ? places : null
}

function seriesOf(arm: readonly Measurement[], metric: MetricId, places: Places | undefined): Series {
  const known = arm.flatMap((one, index) => {
    const value = valueOf(one, metric)
    return value === null ? [] : [{ value, at: places?.[index] ?? index }]
  })
  return { at: known.map(({ at }) => at), values: known.map(({ value }) => value) }
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

/** The arm's name, if the caller gives none. */
function usualName([first]: readonly Measurement[]): string {
  return first === undefined ? '' : (armPhraseOf(first) ?? first.arm)
}

/**
 * Compares two arms by the ratio of their medians: a bootstrap interval, the rank test and the verdict for each metric.
 * `improved` and `worse` need p below 0.05, an interval without 1, and a difference above the tool's resolution.
 * `docs/statistics.md` describes the calibration.
 *
 * @param off the arm to compare with, in the order taken; warm-ups are counted and left out
 * @param on the other arm
 * @returns null when an arm is empty or has no main metric
 */
export function compareArms(
  off: readonly Measurement[],
  on: readonly Measurement[],
  { order: taken = 'sequential', names, subject, only }: CompareOptions = {},
): Comparison | null {
  const measured = (arm: readonly Measurement[]): Measurement[] => arm.filter(({ warmup }) => !warmup)
  const runs = { off: measured(off), on: measured(on) }
  const places = taken === 'interleaved' ? commonPlaces(runs.off, runs.on) : null
  const compared = metricsOf(runs.off, runs.on)
    .filter((metric) => only === undefined || only.includes(metric))
    .flatMap((metric) => {
      const [before, after] = [seriesOf(runs.off, metric, places?.off), seriesOf(runs.on, metric, places?.on)]
      const common = places === null ? null : commonTrend(before, after)
      const row = compareRow(metric, before, after, common)
      return row === null ? [] : [{ row, before, after, common }]
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
  const words = { main, ...arms, order: taken, common: common !== null, subject: subject ?? null }
  return {
    ...arms,
    order: taken,
    tool: toolOf(runs.off, runs.on),
    rows: compared.map(({ row }) => row),
    verdict: main.verdict,
    sentence: sentenceFor(words),
    technical: technicalFor(words),
    seed: SEED,
    resamples: RESAMPLES,
  }
}
