/** A comparison's figures as people read them. Pure. */
import type { ComparedArm, ComparedRow, Comparison, Verdict } from '@expresslane/shared/compare'
import type { Order } from '@expresslane/shared/experiment'
import { formatChange } from '@expresslane/shared/units'
import { formatMetric } from './metrics.ts'

export const verdictWord: Record<Verdict, string> = {
  improved: 'Improved',
  worse: 'Worse',
  'no-difference': 'No difference seen',
  'too-few': 'Too few runs',
}

export const orderName: Record<Order, string> = {
  sequential: 'one arm after the other',
  interleaved: 'interleaved: the arms took turns (ABBA)',
}

/** Whole percents, and one digit more where the interval is so narrow that they would hide it. */
function digits(lowPercent: number, highPercent: number): number {
  return highPercent - lowPercent < 3 ? 1 : 0
}

function signed(percent: number, places: number): string {
  const text = Math.abs(percent).toFixed(places)
  if (Number(text) === 0) return text
  return `${percent > 0 ? '+' : '−'}${text}`
}

/** A ratio's interval as a change: `+18 to +27 %`; null with too few runs. */
export function formatInterval({ interval }: Pick<ComparedRow, 'interval'>): string | null {
  if (interval === null) return null
  const [low, high] = [(interval.low - 1) * 100, (interval.high - 1) * 100]
  const places = digits(low, high)
  return `${signed(low, places)} to ${signed(high, places)} %`
}

/** `×1.23` */
export function formatRatio(ratio: number): string {
  return `×${ratio.toFixed(ratio < 0.1 ? 3 : 2)}`
}

export function formatP(p: number | null): string {
  if (p === null) return '–'
  return p < 0.001 ? '< 0.001' : p.toFixed(3)
}

/** Says so where a difference is finer than the tool can tell; null where it is not. */
export function finerThanTool({ metric, off, on, resolution }: ComparedRow): string | null {
  if (resolution === null || Math.abs(on - off) >= resolution) return null
  return `Finer than netperf can tell: it counts in steps of ${formatMetric(metric, resolution)} here.`
}

/** What was thrown away; null for nothing. */
export function warmupWords({ off, on }: Comparison): string | null {
  if (off.warmups === 0 && on.warmups === 0) return null
  const runs = (count: number): string => `${count} warm-up ${count === 1 ? 'run' : 'runs'}`
  if (off.warmups === on.warmups) return `${runs(off.warmups)} each, thrown away.`
  return `${runs(off.warmups)} ${off.name} and ${runs(on.warmups)} ${on.name}, thrown away.`
}

/** `5 runs each`, `5 and 8 runs`. */
export function countWords({ off, on }: Comparison): string {
  if (off.runs !== on.runs) return `${off.runs} and ${on.runs} runs`
  return off.runs === 1 ? '1 run each' : `${off.runs} runs each`
}

/** A trend within an arm, which a difference between arms can be mistaken for; null for none. */
export function driftWords({ name, drift }: ComparedArm): string | null {
  if (drift === null) return null
  const p = drift.p < 0.001 ? 'p < 0.001' : `p = ${drift.p.toFixed(3)}`
  return `The runs ${name} drifted by ${formatChange(drift.percent)} from the first to the last (${p}).`
}
