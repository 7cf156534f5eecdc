/** The verdict of a run in short, for lists of runs, sessions and labs. Pure. */
import { i18n } from '../base/language.ts'
import { formatPercent } from '../base/units.ts'
import { metricOf } from '../features/metrics.ts'
import type { BriefVerdict, CaseComparison, ComparedRow } from './comparison.ts'
import { summaryOf } from './control.ts'
import { verdictName } from './words.ts'

/** @param all a run's comparisons. @returns null without any */
export function briefOf(all: readonly CaseComparison[]): BriefVerdict | null {
  const last = all.at(-1)?.comparison
  const [main] = last?.rows ?? []
  if (last === undefined || main === undefined) return null
  const count = (one: ComparedRow['verdict']): number =>
    all.filter(({ comparison: { verdict } }) => verdict === one).length
  return {
    metric: main.metric,
    changePercent: main.changePercent,
    verdict: main.verdict,
    comparisons: all.length,
    improved: count('improved'),
    worse: count('worse'),
    sentence: all.length === 1 ? last.sentence : summaryOf(all),
  }
}

/** `12.4 % faster`, `no difference seen`. */
export function changeWords({
  metric,
  changePercent,
  verdict,
}: Pick<ComparedRow, 'metric' | 'changePercent' | 'verdict'>): string {
  if (verdict !== 'improved' && verdict !== 'worse') return verdictName[verdict]
  const { more, less } = metricOf(metric).words
  return `${formatPercent(changePercent)} ${changePercent > 0 ? more : less}`
}

/** `12.4 % faster`; for several comparisons `10 of 28 comparisons improved, 2 worse`. */
export function briefWords(brief: BriefVerdict): string {
  const { comparisons, improved, worse } = brief
  if (comparisons === 1) return changeWords(brief)
  return worse === 0
    ? i18n.t('{improved} of {comparisons} comparisons improved', { improved, comparisons })
    : i18n.t('{improved} of {comparisons} comparisons improved, {worse} worse', { improved, comparisons, worse })
}
