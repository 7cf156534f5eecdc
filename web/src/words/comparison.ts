/** Formats the figures of a comparison. Pure. */
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
  faster: 'Faster',
  slower: 'Slower',
  'no-difference': 'No difference',
}

export const orderName: Record<Order, string> = {
  sequential: 'one arm after the other',
  interleaved: 'interleaved: the arms took turns (ABBA)',
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
  return `${signed(low, places)} to ${signed(high, places)} %`
}

/** `1.18 to 1.27`; null with too few runs. */
export function formatRatioInterval({ interval }: Pick<ComparedRow, 'interval'>): string | null {
  if (interval === null) return null
  const places = interval.high - interval.low < 0.03 ? 3 : 2
  return `${interval.low.toFixed(places)} to ${interval.high.toFixed(places)}`
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
  const whose = isCounted(metric) ? 'the counted machine' : metricOf(metric).source
  return `Smaller than the resolution of ${whose}, which is ${formatMetric(metric, resolution)} here.`
}

/** The warm-up runs; null for none. */
export function warmupWords({ off, on }: Comparison): string | null {
  if (off.warmups === 0 && on.warmups === 0) return null
  const runs = (count: number): string => `${count} ${count === 1 ? 'warm-up' : 'warm-ups'}`
  if (off.warmups === on.warmups) return `${runs(off.warmups)} each, not counted.`
  return `${runs(off.warmups)} ${off.name} and ${runs(on.warmups)} ${on.name}, not counted.`
}

/** `5 repeats each`, `5 and 8 repeats`. */
export function countWords({ off, on }: Comparison): string {
  if (off.runs !== on.runs) return `${off.runs} and ${on.runs} repeats`
  return off.runs === 1 ? '1 repeat each' : `${off.runs} repeats each`
}

/** A trend within an arm, from its first run to its last. */
export function driftWords({ drift }: ComparedArm): string {
  if (drift === null) return 'none found'
  return `${formatChange(drift.percent)} from the first repeat to the last (${formatP(drift.p)})`
}
