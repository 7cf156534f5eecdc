/** How false claims are kept rare, in words: for the page, the reports and the terminal. Pure. */
import { i18n } from '../base/language.ts'
import type { CaseComparison, Comparison, Control, RowRole } from './comparison.ts'

/** The method's name, as a statistician would look for it. */
export const CONTROL_NAME = /*i18n*/ 'Dunnett’s test within each case, Šidák over the cases'

/** A note on the other metrics of a comparison. */
export const EXPLORATORY =
  'The other metrics are exploratory: each is judged by itself, with its own interval, so one of them can seem to differ by chance.'

/** For a table, where a row's verdict does not count as one; null where it does. */
export function roleWords(role: RowRole): string | null {
  if (role === 'explains') return i18n.t('for explanation only')
  return role === 'exploratory' ? i18n.t('exploratory') : null
}

/** How one comparison was judged among those of its experiment; null for the only one. */
export function controlWords({ method, comparisons }: Control): string | null {
  if (comparisons === 1) return null
  return method === 'none'
    ? i18n.t(
        'One of {comparisons} comparisons, judged by itself: among so many, some seem to differ by chance. The intervals are not simultaneous.',
        { comparisons },
      )
    : i18n.t(
        'One of {comparisons} comparisons that are judged together ({method}). The p-value is adjusted, and the interval is simultaneous.',
        { comparisons, method: i18n.t(CONTROL_NAME) },
      )
}

/** How the comparisons of one experiment were judged; null for a single one. */
export function familyWords(all: readonly Pick<Comparison, 'control'>[]): string | null {
  const [first] = all
  if (first === undefined || all.length < 2) return null
  return first.control.method === 'none'
    ? i18n.t(
        'These {count} comparisons were each judged by themselves: among so many, some seem to differ by chance. Their 95 % intervals are not simultaneous.',
        { count: all.length },
      )
    : i18n.t(
        'All {count} comparisons are judged together ({method}): if no arm differed, at most 5 of 100 such experiments would claim any difference. The 95 % intervals are simultaneous.',
        { count: all.length, method: i18n.t(CONTROL_NAME) },
      )
}

const counted: readonly (readonly ['improved' | 'worse' | 'no-difference' | 'too-few', string])[] = [
  ['improved', /*i18n*/ 'improved'],
  ['worse', /*i18n*/ 'worse'],
  ['no-difference', /*i18n*/ 'without a difference that shows'],
  ['too-few', /*i18n*/ 'with too few repeats'],
]

/** The result of several comparisons: how many of each verdict. */
export function summaryOf(all: readonly CaseComparison[]): string {
  const parts = counted.flatMap(([verdict, words]) => {
    const count = all.filter(({ comparison }) => comparison.verdict === verdict).length
    return count === 0 ? [] : [`${count} ${i18n.t(words)}`]
  })
  return i18n.t('{count} comparisons, judged together: {parts}.', { count: all.length, parts: parts.join(', ') })
}
