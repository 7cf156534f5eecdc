/** How false claims are kept rare, in words: for the page, the reports and the terminal. Pure. */
import type { CaseComparison, Comparison, Control, RowRole } from './comparison.ts'

/** The method's name, as a statistician would look for it. */
export const CONTROL_NAME = 'Dunnett’s test within each case, Šidák over the cases'

/** A note on the other metrics of a comparison. */
export const EXPLORATORY =
  'The other metrics are exploratory: each is judged by itself, with its own interval, so one of them can seem to differ by chance.'

/** For a table, where a row's verdict does not count as one; null where it does. */
export function roleWords(role: RowRole): string | null {
  if (role === 'explains') return 'for explanation only'
  return role === 'exploratory' ? 'exploratory' : null
}

/** How one comparison was judged among those of its experiment; null for the only one. */
export function controlWords({ method, comparisons }: Control): string | null {
  if (comparisons === 1) return null
  return method === 'none'
    ? `One of ${comparisons} comparisons, judged by itself: among so many, some seem to differ by chance. The intervals are not simultaneous.`
    : `One of ${comparisons} comparisons that are judged together (${CONTROL_NAME}). The p-value is adjusted, and the interval is simultaneous.`
}

/** How the comparisons of one experiment were judged; null for a single one. */
export function familyWords(all: readonly Pick<Comparison, 'control'>[]): string | null {
  const [first] = all
  if (first === undefined || all.length < 2) return null
  return first.control.method === 'none'
    ? `These ${all.length} comparisons were each judged by themselves: among so many, some seem to differ by chance. Their 95 % intervals are not simultaneous.`
    : `All ${all.length} comparisons are judged together (${CONTROL_NAME}): if no arm differed, at most 5 of 100 such experiments would claim any difference. The 95 % intervals are simultaneous.`
}

const counted: readonly (readonly ['improved' | 'worse' | 'no-difference' | 'too-few', string])[] = [
  ['improved', 'improved'],
  ['worse', 'worse'],
  ['no-difference', 'without a difference that shows'],
  ['too-few', 'with too few repeats'],
]

/** The result of several comparisons: how many of each verdict. */
export function summaryOf(all: readonly CaseComparison[]): string {
  const parts = counted.flatMap(([verdict, words]) => {
    const count = all.filter(({ comparison }) => comparison.verdict === verdict).length
    return count === 0 ? [] : [`${count} ${words}`]
  })
  return `${all.length} comparisons, judged together: ${parts.join(', ')}.`
}
