/** A comparison in words: one sentence for a learner, one for an engineer. */
import { i18n } from '../base/language.ts'
import { CONTROL_NAME } from './control.ts'
import type { ComparedArm, ComparedRow, Comparison, Control } from './comparison.ts'
import { metricOf } from '../features/metrics.ts'
import { capitalized } from '../features/words.ts'
import { isCounted } from '../measure/clock.ts'
import { RESAMPLES, SEED } from './stats/bootstrap.ts'
import { isExact, LEAST_RUNS } from './stats/rank-test.ts'
import { formatChange, formatCount, formatEffectSize, formatFixed } from '../base/units.ts'

const COMMON = /*i18n*/ 'the common trend removed from the logarithms'

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
  if (interval === null) return i18n.t('between an unknown range')
  const percent = (ratio: number): string => formatChange((ratio - 1) * 100)
  return i18n.t('between {low} and {high}', { low: percent(interval.low), high: percent(interval.high) })
}

function findingOf({ main, off, on }: Subject): string {
  const { words, format } = metricOf(main.metric)
  const change = formatChange(main.changePercent)
  if (main.verdict === 'too-few') {
    return i18n.t(
      'Too few repeats for a verdict ({change} so far): each side needs at least {least}, but there are {offRuns} and {onRuns}.',
      { change, least: LEAST_RUNS, offRuns: off.runs, onRuns: on.runs },
    )
  }
  const range = rangeOf(main)
  if (main.verdict !== 'no-difference') {
    const finding = main.ratio > 1 ? words.more : words.less
    return i18n.t('That is {finding}: {change}, very likely {range}.', { finding, change, range })
  }
  if (main.resolution !== null && Math.abs(main.on - main.off) <= main.resolution) {
    const resolution = format(main.resolution)
    return isCounted(main.metric)
      ? i18n.t('No difference that this machine can show: its resolution is {resolution} here.', { resolution })
      : i18n.t('No difference that the tool can detect: its resolution is {resolution} here.', { resolution })
  }
  return i18n.t('No significant difference: the change is {change}, very likely {range}.', { change, range })
}

function driftOf({ main, off, on, order, common }: Subject): string[] {
  const { noun } = metricOf(main.metric)
  const moved = (name: string, { percent }: NonNullable<ComparedArm['drift']>) => ({
    name: capitalized(name),
    noun,
    moved: percent < 0 ? 'fell' : 'rose',
    percent: formatFixed(Math.abs(percent), 0),
  })
  if (common && off.drift !== null) {
    return [
      i18n.t(
        'From the first repeat to the last, {noun} {moved, select, fell {fell} other {rose}} by {percent} % on both sides. This trend is removed from the comparison.',
        moved(off.name, off.drift),
      ),
    ]
  }
  const caution =
    order === 'sequential'
      ? i18n.t('This drift may explain part of the difference. Arms that take turns avoid that.')
      : i18n.t('Treat the difference with caution.')
  return [off, on].flatMap(({ name, drift }) =>
    drift === null
      ? []
      : [
          i18n.t(
            '{name}: {noun} {moved, select, fell {fell} other {rose}} by {percent} % from the first repeat to the last.',
            moved(name, drift),
          ),
          caution,
        ],
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
  return p < 0.001 ? `p < ${formatFixed(0.001, 3)}` : `p = ${formatFixed(p, 3)}`
}

function testOf({ main }: Subject): string {
  const { p, adjustedP, effectSize, offValues, onValues } = main
  const [n, m] = [offValues.length, onValues.length]
  if (p === null || effectSize === null)
    return i18n.t('No test with fewer than {least} repeats per side', { least: LEAST_RUNS })
  const u = Number((((effectSize + 1) / 2) * n * m).toFixed(1))
  const figures = { u: formatFixed(u, Number.isInteger(u) ? 0 : 1), pairs: n * m, p: formatP(p) }
  const test = isExact(n, m)
    ? i18n.t('Mann-Whitney U = {u} of {pairs}, two-sided {p} (exact)', figures)
    : i18n.t('Mann-Whitney U = {u} of {pairs}, two-sided {p} (normal approximation)', figures)
  const together = adjustedP === null ? [] : [i18n.t('adjusted {p}', { p: formatP(adjustedP) })]
  return `${[test, ...together].join(', ')}; ${i18n.t('Cliff’s delta {delta}', { delta: formatEffectSize(effectSize) })}`
}

function intervalOf({ interval }: ComparedRow, { method, comparisons }: Control): string {
  if (interval === null) return i18n.t('no interval')
  const [low, high] = [formatFixed(interval.low, 3), formatFixed(interval.high, 3)]
  return method === 'none'
    ? i18n.t('95 % percentile bootstrap interval {low} to {high} ({resamples} resamples, seed {seed})', {
        low,
        high,
        resamples: formatCount(RESAMPLES),
        seed: SEED,
      })
    : i18n.t(
        'simultaneous 95 % interval {low} to {high}, from means of logarithms ({method}; {comparisons} comparisons)',
        { low, high, method: i18n.t(CONTROL_NAME), comparisons },
      )
}

/** For an engineer: the test, its figures, the counts, the order, the seed. */
export function technicalFor(of: Subject): string {
  const { main, off, on, order, common, control } = of
  const { resolution } = main
  const runs = i18n.t('n = {offRuns} ({off}) and {onRuns} ({on})', {
    offRuns: off.runs,
    off: off.name,
    onRuns: on.runs,
    on: on.name,
  })
  const warmups =
    off.warmups + on.warmups === 0
      ? []
      : [i18n.t('after {off} and {on} warm-ups', { off: off.warmups, on: on.warmups })]
  const step =
    resolution === null
      ? []
      : [i18n.t('resolution {resolution}', { resolution: metricOf(main.metric).format(resolution) })]
  const drift = [off, on].flatMap(({ name, drift: one }) =>
    one === null
      ? []
      : [
          i18n.t('trend {name} {change} from first to last (Kendall, {p})', {
            name,
            change: formatChange(one.percent),
            p: formatP(one.p),
          }),
        ],
  )
  return `${[
    testOf(of),
    `${i18n.t('ratio of medians {ratio}', { ratio: formatFixed(main.ratio, 3) })}, ${intervalOf(main, control)}`,
    ...step,
    [runs, ...warmups].join(', '),
    order === 'interleaved' ? i18n.t('interleaved in ABBA blocks') : i18n.t('one arm after the other'),
    ...drift,
    ...(common ? [i18n.t(COMMON)] : []),
  ].join('; ')}.`
}

/** In the reader's language: a comparison is stored in English. The subject of its sentences is left out then. */
export function readable(of: Comparison): Comparison {
  const [main] = of.rows
  if (i18n.locale === 'en' || main === undefined) return of
  const named = (arm: ComparedArm): ComparedArm => ({ ...arm, name: i18n.t(arm.name) })
  const { order, control, technical } = of
  const arms = { off: named(of.off), on: named(of.on) }
  const words = { main, ...arms, order, control, common: technical.includes(COMMON), subject: null }
  return { ...of, ...arms, sentence: sentenceFor(words), technical: technicalFor(words) }
}
