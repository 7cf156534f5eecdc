/** A comparison in words: one sentence for a learner, one for an engineer. */
import { CONTROL_NAME } from './control.ts'
import type { ComparedArm, ComparedRow, Comparison, Control } from './comparison.ts'
import { metricOf } from '../features/metrics.ts'
import { capitalized } from '../features/words.ts'
import { isCounted } from '../measure/clock.ts'
import { RESAMPLES, SEED } from './stats/bootstrap.ts'
import { isExact, LEAST_RUNS } from './stats/rank-test.ts'
import { formatChange, formatCount, formatEffectSize } from '../base/units.ts'

/** The comparison that the sentences describe. */
export interface Subject {
  readonly main: ComparedRow
  readonly off: ComparedArm
  readonly on: ComparedArm
  readonly order: Comparison['order']
  /** Both arms share a trend, and it was removed. */
  readonly common: boolean
  readonly subject: string | null
  readonly control: Control
}

function rangeOf({ interval }: ComparedRow): string {
  if (interval === null) return 'an unknown range'
  const percent = (ratio: number): string => formatChange((ratio - 1) * 100)
  return `${percent(interval.low)} and ${percent(interval.high)}`
}

function findingOf({ main, off, on }: Subject): string {
  const { words, format } = metricOf(main.metric)
  const change = formatChange(main.changePercent)
  if (main.verdict === 'too-few') {
    return `Too few repeats for a verdict (${change} so far): each side needs at least ${LEAST_RUNS}, but there are ${off.runs} and ${on.runs}.`
  }
  if (main.verdict !== 'no-difference') {
    return `That is ${main.ratio > 1 ? words.more : words.less}: ${change}, very likely between ${rangeOf(main)}.`
  }
  if (main.resolution !== null && Math.abs(main.on - main.off) <= main.resolution) {
    const whose = isCounted(main.metric) ? 'this machine can show' : 'the tool can detect'
    return `No difference that ${whose}: its resolution is ${format(main.resolution)} here.`
  }
  return `No significant difference: the change is ${change}, very likely between ${rangeOf(main)}.`
}

function driftOf({ main, off, on, order, common }: Subject): string[] {
  const { noun } = metricOf(main.metric)
  const moved = ({ percent }: NonNullable<ComparedArm['drift']>): string =>
    `${percent < 0 ? 'fell' : 'rose'} by ${Math.abs(percent).toFixed(0)} %`
  if (common && off.drift !== null) {
    return [
      `From the first repeat to the last, ${noun} ${moved(off.drift)} on both sides. This trend is removed from the comparison.`,
    ]
  }
  const caution =
    order === 'sequential'
      ? 'This drift may explain part of the difference. Arms that take turns avoid that.'
      : 'Treat the difference with caution.'
  return [off, on].flatMap(({ name, drift }) =>
    drift === null
      ? []
      : [`${capitalized(name)}: ${noun} ${moved(drift)} from the first repeat to the last. ${caution}`],
  )
}

/** For a learner. */
export function sentenceFor(of: Subject): string {
  const { main, off, on, subject } = of
  const { say } = metricOf(main.metric)
  const figures = `${capitalized(off.name)}: ${say(main.off)}. ${capitalized(on.name)}: ${say(main.on)}.`
  return [...(subject === null ? [] : [`${capitalized(subject)}.`]), figures, findingOf(of), ...driftOf(of)].join(' ')
}

function formatP(p: number): string {
  return p < 0.001 ? 'p < 0.001' : `p = ${p.toFixed(3)}`
}

function testOf({ main }: Subject): string {
  const { p, adjustedP, effectSize, offValues, onValues } = main
  const [n, m] = [offValues.length, onValues.length]
  if (p === null || effectSize === null) return `No test with fewer than ${LEAST_RUNS} repeats per side`
  const u = ((effectSize + 1) / 2) * n * m
  const how = isExact(n, m) ? 'exact' : 'normal approximation'
  const together = adjustedP === null ? '' : `, adjusted ${formatP(adjustedP)}`
  return `Mann-Whitney U = ${Number(u.toFixed(1))} of ${n * m}, two-sided ${formatP(p)} (${how})${together}; Cliff’s delta ${formatEffectSize(effectSize)}`
}

/** For an engineer: the test, its figures, the counts, the order, the seed. */
export function technicalFor(of: Subject): string {
  const { main, off, on, order, common, control } = of
  const { interval, resolution } = main
  const ends = interval === null ? '' : `${interval.low.toFixed(3)} to ${interval.high.toFixed(3)}`
  const range =
    interval === null
      ? 'no interval'
      : control.method === 'none'
        ? `95 % percentile bootstrap interval ${ends} (${formatCount(RESAMPLES)} resamples, seed ${SEED})`
        : `simultaneous 95 % interval ${ends}, from means of logarithms (${CONTROL_NAME}; ${control.comparisons} comparisons)`
  const warmups = off.warmups + on.warmups === 0 ? '' : `, after ${off.warmups} and ${on.warmups} warm-ups`
  const taken = order === 'interleaved' ? 'interleaved in ABBA blocks' : 'one arm after the other'
  const step = resolution === null ? [] : [`resolution ${metricOf(main.metric).format(resolution)}`]
  const drift = [off, on].flatMap(({ name, drift: one }) =>
    one === null ? [] : [`trend ${name} ${formatChange(one.percent)} from first to last (Kendall, ${formatP(one.p)})`],
  )
  const removed = common ? ['the common trend removed from the logarithms'] : []
  return `${[
    testOf(of),
    `ratio of medians ${main.ratio.toFixed(3)}, ${range}`,
    ...step,
    `n = ${off.runs} (${off.name}) and ${on.runs} (${on.name})${warmups}`,
    taken,
    ...drift,
    ...removed,
  ].join('; ')}.`
}
