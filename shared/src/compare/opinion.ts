/**
 * A second opinion: the counted machine measures the arms that were compared here, in instructions instead of time. The
 * figures have different units, so only their claims are compared. Pure.
 */
import { i18n } from '../base/language.ts'
import { z } from 'zod'
import { metricOf } from '../features/metrics.ts'
import { isCounted } from '../measure/clock.ts'
import { formatCount, formatFixed } from '../base/units.ts'
import { assertNever } from '../base/errors.ts'
import { comparedRow, type CaseComparison, type ComparedRow } from './comparison.ts'

/**
 * How the two opinions agree:
 *
 * - `same`: both claim a difference in the same direction
 * - `neither`: neither sees a difference
 * - `opposite`: each claims a difference, in opposite directions
 * - `only-here`: only the measurement in time claims a difference
 * - `hidden`: only the instructions differ, and the interval in time is wide enough for as large a change
 * - `only-counted`: only the instructions differ, and the interval in time leaves no room for as large a change
 * - `undecided`: an opinion has too few repeats for a verdict
 * - `missing`: the counted machine did not measure the arm in this case
 */
export const agreement = z.enum([
  'same',
  'neither',
  'opposite',
  'only-here',
  'hidden',
  'only-counted',
  'undecided',
  'missing',
])
export type Agreement = z.infer<typeof agreement>

const side = comparedRow.pick({ metric: true, ratio: true, interval: true, changePercent: true, verdict: true })
type Side = z.infer<typeof side>

/** Both opinions on one arm in one case. */
export const opinion = z.strictObject({
  caseId: z.string().nullable(),
  arm: z.string(),
  against: z.string(),
  /** The main metric in time. */
  here: side,
  /** The main metric in instructions; null if the counted machine did not measure it. */
  counted: side.nullable(),
  agreement,
  /** `9 % faster here (4 to 15); 11.8 % fewer instructions (11.2 to 12.4)`. */
  sentence: z.string(),
  /** Possible reasons for the agreement or disagreement, in a sentence or two. */
  meaning: z.string(),
})
export type Opinion = z.infer<typeof opinion>

interface Range {
  readonly low: number
  readonly high: number
}

/** Whether a larger value of the metric is a larger cost. */
function isCost({ metric }: Pick<Side, 'metric'>): boolean {
  return metricOf(metric).better !== 'more'
}

function inverse({ low, high }: Range): Range {
  return { low: 1 / high, high: 1 / low }
}

/** The interval of a transaction's cost, as a ratio. */
function costInterval(of: Side): Range | null {
  return of.interval === null || isCost(of) ? of.interval : inverse(of.interval)
}

function costRatio(of: Side): number {
  return isCost(of) ? of.ratio : 1 / of.ratio
}

/** Compares the claims of two opinions on the same arms. The sizes of the differences do not matter. */
function agreementOf(here: Side, counted: Side | null): Agreement {
  if (counted === null) return 'missing'
  if (here.verdict === 'too-few' || counted.verdict === 'too-few') return 'undecided'
  if (here.verdict === counted.verdict) return here.verdict === 'no-difference' ? 'neither' : 'same'
  if (counted.verdict === 'no-difference') return 'only-here'
  if (here.verdict !== 'no-difference') return 'opposite'
  const [room, change] = [costInterval(here), costRatio(counted)]
  return room === null || (room.low <= change && change <= room.high) ? 'hidden' : 'only-counted'
}

/** Possible reasons for an agreement or disagreement, in plain words. `docs/counted.md` says more. */
function meaningOf(of: Agreement): string {
  switch (of) {
    case 'same':
      return i18n.t(
        'Both say the same. By how much can differ, because caches, interrupts and several CPUs are not counted.',
      )
    case 'neither':
      return i18n.t('Neither shows a difference.')
    case 'opposite':
      return i18n.t(
        'They disagree. Work that needs more instructions can still take less time, and the other way round: waiting for memory, interrupts and work on several CPUs take time and are not counted. Or this machine’s noise fell on one arm: measure here again.',
      )
    case 'only-here':
      return i18n.t(
        'Only the time differs. The difference can come from what is not counted: caches, interrupts, and work on several CPUs. Or it is this machine’s noise: a real difference comes back when you measure here again.',
      )
    case 'hidden':
      return i18n.t(
        'Only the instructions differ. This machine varies so much that as large a change in time would not show: measure here with more repeats, or when the machine is quiet.',
      )
    case 'only-counted':
      return i18n.t(
        'Only the instructions differ. As large a change in time would show here, so something that is not counted takes most of the time: waiting for memory, interrupts, or work on several CPUs.',
      )
    case 'undecided':
      return i18n.t('One of the two has too few repeats for a verdict.')
    case 'missing':
      return i18n.t('The counted machine did not measure this.')
    default:
      return assertNever(of)
  }
}

/** `11.8`, or `9` where the interval is wide; never with a sign. */
function sizeOf(percent: number, digits: number): string {
  const size = Math.abs(percent)
  return size < 1000 ? formatFixed(size, digits) : formatCount(size)
}

/** An end of an interval, as a change in the direction of its sentence: negative ends have a sign. */
function endOf(percent: number, digits: number): string {
  const size = sizeOf(percent, digits)
  return percent < 0 && Number(Math.abs(percent).toFixed(digits)) !== 0 ? `−${size}` : size
}

/** A claim in words: with the size of a change, or without a difference. */
interface ClaimWords {
  readonly change: (size: string, falls: boolean) => string
  readonly none: () => string
  readonly few: () => string
}

/** `9 % faster here (4 to 15)`, `no difference in instructions (−0.4 to 0.6 %)`. */
function claimOf(
  { verdict }: Pick<ComparedRow, 'verdict'>,
  ratio: number,
  interval: Range | null,
  words: ClaimWords,
): string {
  if (verdict === 'too-few') return words.few()
  const falls = verdict !== 'no-difference' && ratio < 1
  // A value that falls is printed as its decrease, so the interval is printed as decreases, too.
  const ends =
    interval === null ? [] : falls ? [1 - interval.high, 1 - interval.low] : [interval.low - 1, interval.high - 1]
  const [low = Number.NaN, high = Number.NaN] = ends.map((one) => one * 100)
  const digits = high - low >= 3 ? 0 : 1
  const between =
    Number.isFinite(low) && Number.isFinite(high)
      ? i18n.t('{low} to {high}', { low: endOf(low, digits), high: endOf(high, digits) })
      : null
  if (verdict === 'no-difference') return between === null ? words.none() : `${words.none()} (${between} %)`
  const change = words.change(`${sizeOf((ratio - 1) * 100, digits)} %`, falls)
  return between === null ? change : `${change} (${between})`
}

/** `9 % faster here (4 to 15); 11.8 % fewer instructions (11.2 to 12.4)`: both opinions in one line. */
function sentenceOf(here: Side, counted: Side | null): string {
  const { more, less } = metricOf(here.metric).words
  const first = claimOf(here, here.ratio, here.interval, {
    change: (size, falls) => i18n.t('{size} {change} here', { size, change: falls ? less : more }),
    none: () => i18n.t('no difference seen here'),
    few: () => i18n.t('too few repeats here'),
  })
  if (counted === null) return i18n.t('{first}; not measured on the counted machine', { first })
  if (!isCounted(counted.metric)) {
    const words = metricOf(counted.metric).words
    const second = claimOf(counted, counted.ratio, counted.interval, {
      change: (size, falls) =>
        i18n.t('{size} {change} on the counted machine', { size, change: falls ? words.less : words.more }),
      none: () => i18n.t('no difference seen on the counted machine'),
      few: () => i18n.t('too few repeats on the counted machine'),
    })
    return `${first}; ${second}`
  }
  const second = claimOf(counted, costRatio(counted), costInterval(counted), {
    change: (size, falls) =>
      falls ? i18n.t('{size} fewer instructions', { size }) : i18n.t('{size} more instructions', { size }),
    none: () => i18n.t('no difference in instructions'),
    few: () => i18n.t('too few repeats in instructions'),
  })
  return `${first}; ${second}`
}

function sideOf({ comparison: { rows } }: CaseComparison): Side | null {
  const [row] = rows
  if (row === undefined) return null
  const { metric, ratio, interval, changePercent, verdict } = row
  return { metric, ratio, interval, changePercent, verdict }
}

interface Found {
  readonly comparisons: readonly CaseComparison[]
  readonly outcome: { readonly passed: boolean } | null
}

/**
 * Both opinions on each comparison of an experiment, in the experiment's order.
 *
 * @param here the comparisons of the experiment in time
 * @param there the same plan's result on the counted machine: it can lack arms and cases, and its values can be other
 *   than expected, which each meaning then says
 */
export function opinionsOf(here: readonly CaseComparison[], there: Found): Opinion[] {
  const unexpected =
    there.outcome?.passed === false
      ? ` ${i18n.t('On the counted machine some values were not as expected for their arm.')}`
      : ''
  return here.flatMap((one): Opinion[] => {
    const { caseId, arm, against } = one
    const own = sideOf(one)
    if (own === null) return []
    const same = there.comparisons.find((two) => two.caseId === caseId && two.arm === arm && two.against === against)
    const other = same === undefined ? null : sideOf(same)
    const found = agreementOf(own, other)
    return [
      {
        caseId,
        arm,
        against,
        here: own,
        counted: other,
        agreement: found,
        sentence: sentenceOf(own, other),
        meaning: meaningOf(found) + (other === null ? '' : unexpected),
      },
    ]
  })
}

/** In a table: how two opinions agree. */
export const agreementName: Readonly<Record<Agreement, string>> = {
  get same() {
    return i18n.t('both say so')
  },
  get neither() {
    return i18n.t('neither shows a difference')
  },
  get opposite() {
    return i18n.t('they disagree')
  },
  get 'only-here'() {
    return i18n.t('only the time differs')
  },
  get hidden() {
    return i18n.t('this machine varies too much')
  },
  get 'only-counted'() {
    return i18n.t('only the instructions differ')
  },
  get undecided() {
    return i18n.t('undecided')
  },
  get missing() {
    return i18n.t('not measured there')
  },
}

/** Whether an opinion contradicts the other's claim. An effect that noise can hide is no contradiction. */
export function isDisagreement(of: Agreement): boolean {
  return of === 'opposite' || of === 'only-here' || of === 'only-counted'
}

/** The opinions of one agreement. */
export interface Tally<One extends Pick<Opinion, 'agreement'> = Opinion> {
  readonly agreement: Agreement
  /** In the experiment's order; at least one. */
  readonly of: readonly One[]
}

/** The opinions by agreement, in the order of {@link agreement}. */
export function talliesOf<One extends Pick<Opinion, 'agreement'>>(all: readonly One[]): Tally<One>[] {
  const groups = Map.groupBy(all, (one) => one.agreement)
  return agreement.options.flatMap((one) => {
    const of = groups.get(one)
    return of === undefined ? [] : [{ agreement: one, of }]
  })
}

/** `both say so: 3 of 5`, `both say so: all 5`. @param total how many opinions there are */
export function tallyWords(
  { agreement: one, of }: Pick<Tally, 'agreement'> & { of: { length: number } },
  total: number,
): string {
  return `${agreementName[one]}: ${of.length === total ? i18n.t('all {total}', { total }) : i18n.t('{count} of {total}', { count: of.length, total })}`
}

/** `Second opinion: both say so: 3 of 5; undecided: 2 of 5.`; empty for fewer than two, which need no summary. */
export function tallySentence(all: readonly Pick<Opinion, 'agreement'>[]): string {
  if (all.length < 2) return ''
  return i18n.t('Second opinion: {tallies}.', {
    tallies: talliesOf(all)
      .map((one) => tallyWords(one, all.length))
      .join('; '),
  })
}
