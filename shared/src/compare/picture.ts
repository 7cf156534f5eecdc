/** The picture of a run's last comparison, for a lab's card. Pure. */
import { i18n } from '../base/language.ts'
import { capitalized } from '../features/words.ts'
import { formatMetric, metricOf } from '../features/metrics.ts'
import type { ExperimentPlan } from '../measure/experiment.ts'
import { maxOf, minOf } from '../measure/extremes.ts'
import type { CaseComparison, ComparedRow, Comparison, Picture } from './comparison.ts'
import { changeWords } from './brief.ts'

function wordsOf({ off, on }: Comparison, main: ComparedRow): string {
  const change = changeWords(main)
  // The arms `off` and `on` are the two sides of the lab's own question.
  if (off.arm === 'off' && on.arm === 'on') return change
  const isClear = main.verdict === 'improved' || main.verdict === 'worse'
  return isClear
    ? i18n.t('{on}: {change} than {off}', { on: capitalized(on.name), change, off: off.name })
    : i18n.t('{on} and {off}: {change}', { on: capitalized(on.name), off: off.name, change })
}

/**
 * The picture of a run's last case: all its arms, and the verdict of the first comparison, as authors name the arm that
 * matters most after the arm that all are compared with.
 *
 * @param plan null for arms that were measured in separate steps
 * @returns null for a run without a comparison
 */
export function pictureOf(comparisons: readonly CaseComparison[], plan: ExperimentPlan | null): Picture | null {
  const caseOfLast = comparisons.at(-1)?.caseId
  const ofCase = comparisons.filter(({ caseId }) => caseId === caseOfLast)
  const [first] = ofCase
  const [main] = first?.comparison.rows ?? []
  if (first === undefined || main === undefined) return null
  const { metric, verdict } = main
  const sides = ofCase.flatMap(({ comparison: { off, on, rows } }) => {
    const [row] = rows
    if (row?.metric !== metric) return []
    return [
      { ...off, median: row.off, values: row.offValues },
      { ...on, median: row.on, values: row.onValues },
    ]
  })
  const arms = [...new Map(sides.map((side) => [side.arm, side])).values()]
  const values = arms.flatMap((side) => side.values)
  const [low, high] = [minOf(values), maxOf(values)]
  const planned = (id: string): number => plan?.arms.findIndex((arm) => arm.id === id) ?? -1
  const of = (plan?.cases.length ?? 0) > 1 ? plan?.cases.find(({ id }) => id === caseOfLast)?.label : undefined
  return {
    verdict,
    words: wordsOf(first.comparison, main),
    title: [metricOf(metric).name, ...(of === undefined ? [] : [of])].join(', '),
    arms: arms.map((side, index) => ({
      arm: side.arm,
      label: plan?.arms[planned(side.arm)]?.label ?? capitalized(side.name),
      place: planned(side.arm) < 0 ? index : planned(side.arm),
      median: formatMetric(metric, side.median),
      at: side.values.map((value) => (high > low ? Math.round(((value - low) / (high - low)) * 1000) / 1000 : 0.5)),
    })),
  }
}
