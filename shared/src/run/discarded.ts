/** How many runs broke a rule that was fixed beforehand, in words. Pure. */
import { toolOf, mainMetricOf } from '../features/metrics.ts'
import { valueOf, type Measurement } from '../measure/measurement.ts'
import { formatCount } from '../base/units.ts'

function runs(count: number): string {
  return count === 1 ? 'One run was' : `${formatCount(count)} runs were`
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
    without === 0 ? '' : ` ${formatCount(without)} of ${formatCount(ruled.length)} measurements have no result.`
  const rules = [...new Set(ruled.map(({ rule }) => rule.words))]
  return `${discarded === 0 ? 'No run was' : runs(discarded)} discarded.${lost} ${rules.join(' ')}`
}
