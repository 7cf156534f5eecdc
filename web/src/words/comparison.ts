/** Formats the figures of a comparison. Pure. */
import { i18n } from '@expresslane/shared/base/language'
import type { ComparedArm, ComparedRow, Comparison, Verdict } from '@expresslane/shared/compare/comparison'
import { isCounted } from '@expresslane/shared/measure/clock'
import type { Order } from '@expresslane/shared/measure/experiment'
import { capitalized } from '@expresslane/shared/features/words'
import { verdictName } from '@expresslane/shared/compare/words'
import { formatMetric, metricOf } from '@expresslane/shared/features/metrics'
import type { PollAnswer } from '@expresslane/shared/wire/presentation'
import { formatChange, formatCount } from '@expresslane/shared/base/units'

/** Capitalized, for the start of a line. */
export const verdictWord: Readonly<Record<Verdict, string>> = {
  improved: capitalized(verdictName.improved),
  worse: capitalized(verdictName.worse),
  'no-difference': capitalized(verdictName['no-difference']),
  'too-few': capitalized(verdictName['too-few']),
}

/** The answers to a step's question. */
export const answerWord: Readonly<Record<PollAnswer, string>> = {
  faster: /*i18n*/ 'Faster',
  slower: /*i18n*/ 'Slower',
  'no-difference': /*i18n*/ 'No difference',
}

export const orderName: Record<Order, string> = {
  sequential: /*i18n*/ 'one arm after the other',
  interleaved: /*i18n*/ 'interleaved: the arms took turns (ABBA)',
}

/** Whole percents, or one decimal digit for narrow intervals. */
function digits(lowPercent: number, highPercent: number): number {
  return highPercent - lowPercent < 3 ? 1 : 0
}

function signed(percent: number, places: number): string {
  const size = Math.abs(percent)
  const text = size < 1000 ? size.toFixed(places) : formatCount(size)
  if (Number(text) === 0) return text
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
  return i18n.t('{low} to {high}', { low: interval.low.toFixed(places), high: interval.high.toFixed(places) })
}

/** The name of the main metric's interval: `95 % interval`, or `simultaneous 95 % interval`. */
export function intervalName({ control }: Pick<Comparison, 'control'>): string {
  return control.method === 'none' ? '95 % interval' : 'simultaneous 95 % interval'
}

/** `p = 0.013`; unknown with too few runs. */
export function formatP(p: number | null): string {
  if (p === null) return 'p unknown'
  return p < 0.001 ? 'p < 0.001' : `p = ${p.toFixed(3)}`
}

/** A note if the difference is smaller than the resolution of the tool; null otherwise. */
export function finerThanTool({ metric, better, off, on, resolution }: ComparedRow): string | null {
  if (better === 'neither' || resolution === null || off === on || Math.abs(on - off) > resolution) return null
  const whose = isCounted(metric) ? i18n.t('the counted machine') : metricOf(metric).source
  return i18n.t('Smaller than the resolution of {whose}, which is {metric} here.', {
    whose,
    metric: formatMetric(metric, resolution),
  })
}

/** The warm-up runs; null for none. */
export function warmupWords({ off, on }: Comparison): string | null {
  if (off.warmups === 0 && on.warmups === 0) return null
  const runs = (count: number): string => `${count} ${count === 1 ? 'warm-up' : 'warm-ups'}`
  if (off.warmups === on.warmups) return i18n.t('{warmups} each, not counted.', { warmups: runs(off.warmups) })
  return i18n.t('{warmups} {name} and {warmups2} {name2}, not counted.', {
    warmups: runs(off.warmups),
    name: off.name,
    warmups2: runs(on.warmups),
    name2: on.name,
  })
}

/** `5 repeats each`, `5 and 8 repeats`. */
export function countWords({ off, on }: Comparison): string {
  if (off.runs !== on.runs) return i18n.t('{runs} and {runs2} repeats', { runs: off.runs, runs2: on.runs })
  return off.runs === 1 ? i18n.t('1 repeat each') : i18n.t('{runs} repeats each', { runs: off.runs })
}

/** A trend within an arm, from its first run to its last. */
export function driftWords({ drift }: ComparedArm): string {
  if (drift === null) return 'none found'
  return i18n.t('{percent} from the first repeat to the last ({p})', {
    percent: formatChange(drift.percent),
    p: formatP(drift.p),
  })
}
