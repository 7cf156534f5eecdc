/** The highest arm of a sweep that pays off. Pure. */
import { formatFixed } from '@expresslane/shared/base/units'
import { i18n } from '@expresslane/shared/base/language'
import type { SweepLine } from '@expresslane/shared/charts/sweep'

/** The rule of {@link payoff}, to show. @param noun the quantity that grows with the arms: `limit` */
export function payoffRule(noun: string): string {
  return i18n.t(
    'A {noun} pays off if its verdict is “improved” and its whole 95 % interval is above the ratio of the next smaller {noun} that pays off.',
    { noun },
  )
}

export interface Payoff {
  /** The highest arm that pays off; the baseline if none does; null with too few runs. */
  readonly arm: string | null
  readonly sentence: string
}

/**
 * The highest arm that pays off. Going up from the baseline, an arm pays off if its verdict is an improvement and the
 * low end of its interval is above the ratio of the last arm that paid off (1 at first). Two higher arms are not
 * compared with each other, so a small gain can be missed or wrongly accepted: the map shows the intervals.
 *
 * @param noun the quantity that grows with the arms: `limit`
 */
export function payoff({ cells }: SweepLine, noun: string): Payoff {
  const others = cells.filter(({ baseline }) => !baseline)
  const known = others.flatMap(({ label, row }) =>
    row?.interval === null || row?.interval === undefined ? [] : [{ label, row, interval: row.interval }],
  )
  if (known.length < others.length || known.length === 0)
    return { arm: null, sentence: i18n.t('Too few repeats so far.') }
  const first = cells.find(({ baseline }) => baseline)?.label ?? i18n.t('the first')
  let [last, ratio] = [first, 1]
  for (const { label, row, interval } of known) {
    if (row.verdict === 'improved' && interval.low > ratio) [last, ratio] = [label, row.ratio]
  }
  const worse = known.filter(({ row }) => row.verdict === 'worse').map(({ label }) => label)
  const but =
    worse.length === 0
      ? []
      : [i18n.t('Worse than {first} at {worse}.', { first, worse: worse.join(` ${i18n.t('and')} `) })]
  const gain = `+${formatFixed((ratio - 1) * 100, 0)} %`
  const sentence =
    last === first
      ? i18n.t('No {noun} above {first} pays off.', { noun, first })
      : last === known.at(-1)?.label
        ? i18n.t('{last}, the largest measured {noun}, pays off: {gain} compared with {first}.', {
            last,
            noun,
            gain,
            first,
          })
        : i18n.t('The largest {noun} that pays off is {last}: {gain} compared with {first}.', {
            noun,
            last,
            gain,
            first,
          })
  return { arm: last, sentence: [sentence, ...but].join(' ') }
}
