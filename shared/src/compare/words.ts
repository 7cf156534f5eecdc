/** Names of verdicts, and formats of ratios. Pure. */
import { formatChange } from '../base/units.ts'
import type { ComparedRow, Verdict } from './comparison.ts'

export const verdictName: Readonly<Record<Verdict, string>> = {
  improved: 'improved',
  worse: 'worse',
  'no-difference': 'no difference seen',
  'too-few': 'too few repeats',
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
  return `×${ratio.toFixed(ratio < 0.1 ? 3 : 2)}`
}

/** `+14.2 % to +31.0 %`: the ratio's interval as changes. */
export function intervalWords({ interval }: Pick<ComparedRow, 'interval'>): string {
  if (interval === null) return 'unknown'
  return `${formatChange((interval.low - 1) * 100)} to ${formatChange((interval.high - 1) * 100)}`
}
