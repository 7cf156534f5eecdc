/** How many runs broke a rule that was fixed beforehand, in words. Pure. */
import { i18n } from '../base/language.ts'
import { toolOf, mainMetricOf } from '../features/metrics.ts'
import { valueOf, type Measurement } from '../measure/measurement.ts'
import { formatCount } from '../base/units.ts'

function discardedRuns(count: number): string {
  if (count === 0) return i18n.t('No run was discarded.')
  if (count === 1) return i18n.t('One run was discarded.')
  return i18n.t('{count} runs were discarded.', { count: formatCount(count) })
}

/**
 * Whole sentences: how many runs were discarded, which measurements have no value for it, and the rules.
 *
 * @param taken without warm-ups
 * @returns null if the tools have no such rule
 */
export function discardedWords(taken: readonly Measurement[]): string | null {
  const ruled = taken.flatMap((one) => {
    const { rule } = toolOf(one.benchmark)
    return rule === undefined ? [] : [{ one, rule }]
  })
  if (ruled.length === 0) return null
  const discarded = ruled.reduce((sum, { one, rule }) => sum + (valueOf(one, rule.counts) ?? 0), 0)
  const without = ruled.filter(({ one }) => valueOf(one, mainMetricOf(one.benchmark, one.values)) === null).length
  const lost =
    without === 0
      ? []
      : [
          i18n.t('{without} of {all} measurements have no result.', {
            without: formatCount(without),
            all: formatCount(ruled.length),
          }),
        ]
  const rules = new Set(ruled.map(({ rule }) => rule.words))
  return [discardedRuns(discarded), ...lost, ...rules].join(' ')
}
