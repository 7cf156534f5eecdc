/** Cases that differ by one number, such as a rate or how many services there are: each arm is a line over them. Pure. */
import { toolOf } from '../features/metrics.ts'
import { findSetting } from '../features/settings.ts'
import type { ExperimentPlan, TestCase } from '../measure/experiment.ts'
import { valuesOf, type Measurement } from '../measure/measurement.ts'
import type { MetricId } from '../measure/metrics.ts'
import { medianInterval } from './stats/median-interval.ts'

/** The number by which the cases differ. */
export interface CaseScale {
  /** `Services`. */
  readonly name: string
  /** In the order of the numbers. */
  readonly stops: readonly { readonly caseId: string; readonly value: number; readonly words: string }[]
}

export interface ScalePoint {
  readonly caseId: string
  readonly value: number
  readonly median: number
  /** The 95 % interval of the median; null with too few repeats. */
  readonly interval: { readonly low: number; readonly high: number } | null
  readonly all: readonly number[]
}

export interface ScaleLine {
  readonly arm: string
  readonly label: string
  /** Its place among the arms of the plan, which decides its colour. */
  readonly place: number
  readonly points: readonly ScalePoint[]
}

interface Named {
  readonly name: string
  readonly format: (value: number) => string
  readonly read: (of: TestCase) => unknown
}

/** The numbers of the cases that have a name: settings, and parameters of the tool. */
function candidates(cases: readonly TestCase[]): Named[] {
  const ids = new Set(cases.flatMap(({ settings = {} }) => Object.keys(settings)))
  const settings = [...ids].flatMap((id): Named[] => {
    const setting = findSetting(id)
    if (setting === undefined) return []
    return [{ name: setting.label, format: (value) => setting.format(value), read: (of) => of.settings?.[id] }]
  })
  const [first] = cases
  const parameters = first === undefined ? [] : toolOf(first.benchmark).parameters
  const named = parameters.flatMap(({ key, axis }): Named[] =>
    axis === undefined ? [] : [{ ...axis, read: ({ benchmark }) => benchmark[key] }],
  )
  return [...settings, ...named]
}

/** Null unless three cases or more differ by exactly one number that has a name. */
export function caseScale({ cases }: Pick<ExperimentPlan, 'cases'>): CaseScale | null {
  const [first] = cases
  if (first === undefined || cases.length < 3) return null
  if (cases.some((one) => one.family !== first.family || one.benchmark.tool !== first.benchmark.tool)) return null
  const differ = candidates(cases).filter(({ read }) => new Set(cases.map(read)).size > 1)
  const [only] = differ
  if (only === undefined || differ.length > 1) return null
  const stops = cases.flatMap((one) => {
    const value = only.read(one)
    return typeof value === 'number' ? [{ caseId: one.id, value, words: only.format(value) }] : []
  })
  if (new Set(stops.map(({ value }) => value)).size < cases.length) return null
  return { name: only.name, stops: stops.toSorted((a, b) => a.value - b.value) }
}

/** @param taken without warm-ups @returns one line for each arm that has the metric */
export function scaleLines(
  { arms }: Pick<ExperimentPlan, 'arms'>,
  { stops }: CaseScale,
  metric: MetricId,
  taken: readonly Measurement[],
): ScaleLine[] {
  return arms.flatMap(({ id, label }, place) => {
    const points = stops.flatMap(({ caseId, value }): ScalePoint[] => {
      const own = taken.filter((one) => one.arm === id && one.caseId === caseId)
      const all = valuesOf(own, metric)
      const found = medianInterval(all)
      return found === null ? [] : [{ caseId, value, all, median: found.median, interval: found.interval }]
    })
    return points.length === 0 ? [] : [{ arm: id, label, place, points }]
  })
}
