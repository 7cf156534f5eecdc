/** Names of verdicts, and formats of ratios. Pure. */
import { i18n } from '../base/language.ts'
import { formatChange, formatFixed } from '../base/units.ts'
import type { ComparedRow, Verdict } from './comparison.ts'

export const verdictName: Readonly<Record<Verdict, string>> = {
  get improved() {
    return i18n.t('improved')
  },
  get worse() {
    return i18n.t('worse')
  },
  get 'no-difference'() {
    return i18n.t('no difference seen')
  },
  get 'too-few'() {
    return i18n.t('too few repeats')
  },
}

/** Shown before the figure, so that a verdict does not depend on colour. */
export const verdictSign: Readonly<Record<Verdict, string>> = {
  improved: '▲',
  worse: '▼',
  'no-difference': '=',
  'too-few': '?',
}

/** `×1.23` */
export function formatRatio(ratio: number): string {
  return `×${formatFixed(ratio, ratio < 0.1 ? 3 : 2)}`
}

/** `+14.2 % to +31.0 %`: the ratio's interval as changes. */
export function intervalWords({ interval }: Pick<ComparedRow, 'interval'>): string {
  if (interval === null) return i18n.t('unknown')
  return i18n.t('{low} to {high}', {
    low: formatChange((interval.low - 1) * 100),
    high: formatChange((interval.high - 1) * 100),
  })
}
