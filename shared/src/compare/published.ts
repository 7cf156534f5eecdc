/** Your results beside the same change as others published it. Pure. */
import { i18n } from '../base/language.ts'
import type { Settings } from '../base/settings.ts'
import { familyName, formatChange, formatCount, type Family } from '../base/units.ts'
import { formatNamed, metricOf } from '../features/metrics.ts'
import type { PublishedFigure } from '../features/published.ts'
import { findFeature } from '../features/settings.ts'
import type { ArmPlan, ExperimentPlan, TestCase } from '../measure/experiment.ts'
import type { MetricId } from '../measure/metrics.ts'
import type { CaseComparison, ComparedRow, Comparison } from './comparison.ts'
import { intervalWords } from './words.ts'

/** A change of a metric that you measured, and the published figures for it. */
export interface PublishedBeside {
  /** `Transactions per second: XDP vs. TC`. */
  readonly title: string
  readonly own: Pick<ComparedRow, 'metric' | 'off' | 'on' | 'ratio' | 'interval'>
  readonly figures: readonly PublishedFigure[]
}

interface Arms {
  readonly feature: string | null
  readonly off: Settings
  readonly on: Settings
  readonly family: Family
  /** Parts of the title after the metric. */
  readonly title: readonly string[]
}

function beside(
  { feature, off, on, family, title }: Arms,
  tool: string,
  own: PublishedBeside['own'],
  isCompared: boolean,
): PublishedBeside[] {
  const { metric } = own
  const { published } = findFeature(feature ?? '') ?? {}
  const figures = published?.figures({ off, on, family, tool, metric, isCompared }) ?? []
  if (figures.length === 0) return []
  return [{ title: [metricOf(metric).name, ...title].join(': '), own, figures }]
}

/**
 * Published figures for one comparison of two arms.
 *
 * @param tool the tool of both arms; old comparisons do not name it
 */
export function publishedForPair(arms: Arms, tool: string, { rows }: Pick<Comparison, 'rows'>): PublishedBeside[] {
  return rows.flatMap((row) => beside(arms, tool, row, true))
}

/** Medians of each arm of a case by metric; all arms were compared with one arm, so any two can be set beside each other. */
function mediansOf(comparisons: readonly CaseComparison[]): Map<string, Map<MetricId, number>> {
  const medians = new Map<string, Map<MetricId, number>>()
  const keep = (arm: string, metric: MetricId, value: number): void => {
    medians.set(arm, (medians.get(arm) ?? new Map<MetricId, number>()).set(metric, value))
  }
  for (const { against, arm, comparison } of comparisons) {
    for (const { metric, off, on } of comparison.rows) {
      keep(against, metric, off)
      keep(arm, metric, on)
    }
  }
  return medians
}

interface Compared {
  readonly plan: ExperimentPlan
  readonly comparisons: readonly CaseComparison[]
}

function ofCase(feature: string | null, { plan }: Compared, of: TestCase, own: readonly CaseComparison[]) {
  const several = plan.cases.length === 1 ? [] : [of.label]
  const between = (off: ArmPlan, on: ArmPlan): Arms => {
    const names = plan.arms.length === 2 ? [] : [`${on.label} vs. ${off.label}`]
    return { feature, off: off.settings, on: on.settings, family: of.family, title: [...several, ...names] }
  }
  const medians = mediansOf(own)
  return plan.arms.flatMap((off, place) =>
    plan.arms.slice(place + 1).flatMap((on) => {
      const direct = own.find(({ against, arm }) => against === off.id && arm === on.id)
      if (direct !== undefined) return publishedForPair(between(off, on), of.benchmark.tool, direct.comparison)
      const [from, to] = [medians.get(off.id), medians.get(on.id)]
      return [...(from ?? [])].flatMap(([metric, was]) => {
        const is = to?.get(metric)
        if (is === undefined || was === 0) return []
        const measured = { metric, off: was, on: is, ratio: is / was, interval: null }
        return beside(between(off, on), of.benchmark.tool, measured, false)
      })
    }),
  )
}

/** Published figures for a result: for its comparisons, and for pairs that were both compared with a third arm. */
export function publishedBeside(feature: string | null, result: Compared): PublishedBeside[] {
  const { plan, comparisons } = result
  return plan.cases.flatMap((of) => {
    const own = comparisons.filter(({ caseId }) => caseId === of.id || caseId === null)
    return ofCase(feature, result, of, own)
  })
}

/** Sentences on the published figures of the tools. */
export function publishedNotes(feature: string | null, { cases }: Pick<ExperimentPlan, 'cases'>): string[] {
  const { published } = findFeature(feature ?? '') ?? {}
  const tools = new Set(cases.map(({ benchmark }) => benchmark.tool))
  return [...tools].flatMap((tool) => published?.notes(tool) ?? [])
}

/** `Isovalent lab, IPv4`. */
export function sourceWords({ source, family }: PublishedFigure): string {
  return family === null ? source : `${source}, ${familyName[family]}`
}

function runsWords(runs: PublishedFigure['runs']): string | null {
  if (runs === null) return null
  if (runs.off === 1 && runs.on === 1) return i18n.t('one run per side')
  return runs.off === runs.on
    ? i18n.t('means of {runs} runs', { runs: formatCount(runs.off) })
    : i18n.t('means of {off} and {on} runs', { off: formatCount(runs.off), on: formatCount(runs.on) })
}

function boundWords(bound: PublishedFigure['bound']): string | null {
  if (bound === null) return null
  return bound === 'at least' ? i18n.t('at least this ratio') : i18n.t('at most this ratio')
}

/** `12,191 TPS → 18,135 TPS; kind, kernel 6.4; means of 2 and 3 runs`. */
export function figureWords({ setup, runs, bound, off, on }: PublishedFigure, metric: MetricId): string {
  const figures = off === null || on === null ? null : `${formatNamed(metric, off)} → ${formatNamed(metric, on)}`
  const parts = [figures, boundWords(bound), setup, runsWords(runs)]
  return parts.filter((part) => part !== null).join('; ')
}

export const changeOf = (ratio: number): string => formatChange((ratio - 1) * 100)

/** Everything about a result that others published, as sentences; empty if there is nothing. */
export function publishedLines(feature: string | null, result: Compared): string[] {
  return [...publishedBeside(feature, result).map(publishedWords), ...publishedNotes(feature, result.plan)]
}

function othersWords(figures: readonly PublishedFigure[]): string {
  return figures.map((one) => `${changeOf(one.ratio)} (${sourceWords(one)})`).join(', ')
}

/** `Transactions per second: yours +33 % (+28 % to +39 %); published +49 % (Isovalent lab, IPv4).`. */
export function publishedWords({ title, own, figures }: PublishedBeside): string {
  const change = changeOf(own.ratio)
  const ownWords = own.interval === null ? change : `${change} (${intervalWords(own)})`
  return i18n.t('{title}: yours {own}; published {figures}.', { title, own: ownWords, figures: othersWords(figures) })
}
