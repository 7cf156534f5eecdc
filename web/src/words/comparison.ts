/** Formats the figures of a comparison. Pure. */
import { i18n } from '@expresslane/shared/base/language'
import type { ComparedArm, ComparedRow, Comparison, Verdict } from '@expresslane/shared/compare/comparison'
import { isCounted } from '@expresslane/shared/measure/clock'
import type { Order } from '@expresslane/shared/measure/experiment'
import { formatMetric, metricOf } from '@expresslane/shared/features/metrics'
import type { PollAnswer } from '@expresslane/shared/wire/presentation'
import { formatChange, formatCount, formatFixed } from '@expresslane/shared/base/units'

const verdicts: Readonly<Record<Verdict, string>> = {
  improved: /*i18n*/ 'Improved',
  worse: /*i18n*/ 'Worse',
  'no-difference': /*i18n*/ 'No difference seen',
  'too-few': /*i18n*/ 'Too few repeats',
}

/** Capitalized, for the start of a line. */
export function verdictWord(verdict: Verdict): string {
  return i18n.t(verdicts[verdict])
}

const answers: Readonly<Record<PollAnswer, string>> = {
  faster: /*i18n*/ 'Faster',
  slower: /*i18n*/ 'Slower',
  'no-difference': /*i18n*/ 'No difference',
}

/** An answer to a step's question. */
export function answerWord(answer: PollAnswer): string {
  return i18n.t(answers[answer])
}

const orders: Record<Order, string> = {
  sequential: /*i18n*/ 'one arm after the other',
  interleaved: /*i18n*/ 'interleaved: the arms took turns (ABBA)',
}

export function orderName(order: Order): string {
  return i18n.t(orders[order])
}

/** Whole percents, or one decimal digit for narrow intervals. */
function digits(lowPercent: number, highPercent: number): number {
  return highPercent - lowPercent < 3 ? 1 : 0
}

function signed(percent: number, places: number): string {
  const size = Math.abs(percent)
  const text = size < 1000 ? formatFixed(size, places) : formatCount(size)
  if (Number(size.toFixed(places)) === 0) return text
  return `${percent > 0 ? '+' : '−'}${text}`
}

/** A ratio's interval as a change: `+18 to +27 %`, `+5,704 to +6,678 %`; null with too few runs. */
export function formatInterval({ interval }: Pick<ComparedRow, 'interval'>): string | null {
  if (interval === null) return null
  const [low, high] = [(interval.low - 1) * 100, (interval.high - 1) * 100]
  const places = digits(low, high)
  return i18n.t('{low} to {high} %', { low: signed(low, places), high: signed(high, places) })
}

/** `1.18 to 1.27`; null with too few runs. */
export function formatRatioInterval({ interval }: Pick<ComparedRow, 'interval'>): string | null {
  if (interval === null) return null
  const places = interval.high - interval.low < 0.03 ? 3 : 2
  return i18n.t('{low} to {high}', { low: formatFixed(interval.low, places), high: formatFixed(interval.high, places) })
}

/** The name of the main metric's interval: `95 % interval`, or `simultaneous 95 % interval`. */
export function intervalName({ control }: Pick<Comparison, 'control'>): string {
  return control.method === 'none' ? i18n.t('95 % interval') : i18n.t('simultaneous 95 % interval')
}

/** `p = 0.013`; unknown with too few runs. */
export function formatP(p: number | null): string {
  if (p === null) return i18n.t('p unknown')
  return p < 0.001 ? `p < ${formatFixed(0.001, 3)}` : `p = ${formatFixed(p, 3)}`
}

/** A note if the difference is smaller than the resolution of the tool; null otherwise. */
export function finerThanTool({ metric, better, off, on, resolution }: ComparedRow): string | null {
  if (better === 'neither' || resolution === null || off === on || Math.abs(on - off) > resolution) return null
  const step = formatMetric(metric, resolution)
  if (isCounted(metric))
    return i18n.t('Smaller than the resolution of the counted machine, which is {step} here.', { step })
  return i18n.t('Smaller than the resolution of {tool}, which is {step} here.', {
    tool: i18n.t(metricOf(metric).source),
    step,
  })
}

/** The warm-up runs; null for none. */
export function warmupWords({ off, on }: Comparison): string | null {
  if (off.warmups === 0 && on.warmups === 0) return null
  if (off.warmups === on.warmups)
    return i18n.t('{count, plural, one {# warm-up} other {# warm-ups}} each, not counted.', { count: off.warmups })
  return i18n.t(
    '{before, plural, one {# warm-up} other {# warm-ups}} {off} and {after, plural, one {# warm-up} other {# warm-ups}} {on}, not counted.',
    { before: off.warmups, off: off.name, after: on.warmups, on: on.name },
  )
}

/** `5 repeats each`, `5 and 8 repeats`. */
export function countWords({ off, on }: Comparison): string {
  if (off.runs !== on.runs) return i18n.t('{before} and {after} repeats', { before: off.runs, after: on.runs })
  return i18n.t('{count, plural, one {# repeat} other {# repeats}} each', { count: off.runs })
}

/** A trend within an arm, from its first run to its last. */
export function driftWords({ drift }: ComparedArm): string {
  if (drift === null) return i18n.t('none found')
  return i18n.t('{percent} from the first repeat to the last ({p})', {
    percent: formatChange(drift.percent),
    p: formatP(drift.p),
  })
}
