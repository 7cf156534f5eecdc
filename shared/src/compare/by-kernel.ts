/** A lab's comparisons on several kernels: each effect and each arm as a series over the kernels, with its changes. Pure. */
import { i18n } from '../base/language.ts'
import { formatFixed } from '../base/units.ts'
import { COUNTED_RESOLUTION } from '../measure/counted-form.ts'
import { maxOf, minOf } from '../measure/extremes.ts'
import type { MetricId } from '../measure/metrics.ts'
import type { CaseComparison, ComparedRow } from './comparison.ts'
import { changePoints } from './stats/change-points.ts'

export interface KernelSeries {
  readonly caseId: string | null
  readonly arm: string
  /** The values are ratios of the arm to this one; null: they are the arm's medians. */
  readonly against: string | null
  /** The arm's name for people. */
  readonly name: string
  readonly metric: MetricId
  /** In the order of the releases. The interval of a ratio is that of its comparison, of a median the range of the repeats. */
  readonly points: readonly {
    readonly kernel: string
    readonly value: number
    readonly interval: ComparedRow['interval']
  }[]
  /** Each between a kernel and the next, with the levels on both sides: geometric means up to the next change. */
  readonly changes: readonly {
    readonly previous: string
    readonly kernel: string
    readonly before: number
    readonly after: number
  }[]
}

const releases = new Intl.Collator('en', { numeric: true })

/** Orders releases such as `6.12.117+deb12-cloud-amd64` by their numbers, the oldest first. */
export function byRelease(a: string, b: string): number {
  return releases.compare(a, b)
}

type Interval = ComparedRow['interval']

function rangeOf(values: readonly number[]): Interval {
  return values.length < 2 ? null : { low: minOf(values), high: maxOf(values) }
}

/** The smallest change that counts: the machine's, or half of the usual interval, where repeats differ by more. */
function smallestOf(intervals: readonly Interval[]): number {
  const halves = intervals.flatMap((one) => (one === null || one.low <= 0 ? [] : [Math.sqrt(one.high / one.low) - 1]))
  return Math.max(COUNTED_RESOLUTION, halves.toSorted((a, b) => a - b)[halves.length >> 1] ?? 0)
}

/** A series for each effect, and one for each arm, by the main metric of each comparison. @param cells in any order */
export function seriesByKernel(
  cells: readonly { readonly kernel: string; readonly comparisons: readonly CaseComparison[] }[],
): KernelSeries[] {
  const values = cells
    .toSorted((a, b) => byRelease(a.kernel, b.kernel))
    .flatMap(({ kernel, comparisons }) =>
      comparisons.flatMap(({ caseId, arm, against, comparison: { rows, off, on } }) =>
        rows.slice(0, 1).flatMap(({ metric, ratio, interval, ...row }) => {
          const first = { caseId, arm: against, against: null, name: off.name, metric }
          const second = { caseId, arm, against: null, name: on.name, metric }
          return [
            { of: { ...second, against }, kernel, value: ratio, interval },
            { of: first, kernel, value: row.off, interval: rangeOf(row.offValues) },
            { of: second, kernel, value: row.on, interval: rangeOf(row.onValues) },
          ]
        }),
      ),
    )
  return [...Map.groupBy(values, ({ of }) => JSON.stringify(of)).values()].flatMap((all) => {
    // The first arm is in the comparison of each other arm.
    const own = all.filter(({ kernel }, at) => kernel !== all[at - 1]?.kernel)
    const changes = changePoints(
      own.map(({ value }) => value),
      smallestOf(own.map(({ interval }) => interval)),
    )
    const nameAt = (at: number): string => own[at]?.kernel ?? ''
    return own.slice(0, 1).map(({ of }) => ({
      ...of,
      points: own.map(({ kernel, value, interval }) => ({ kernel, value, interval })),
      changes: changes.map(({ at, ...levels }) => ({ previous: nameAt(at - 1), kernel: nameAt(at), ...levels })),
    }))
  })
}

/** A sentence for each change of a ratio. */
export function changeWords({ against, caseId, name, changes }: KernelSeries): string[] {
  if (against === null) return []
  const which = [name, caseId].filter((part) => part !== null).join(', ')
  return changes.map(({ previous, kernel, before, after }) =>
    i18n.t('{which}: the ratio goes from {before} with {previous} to {after} with {kernel}.', {
      which,
      before: formatFixed(before, 3),
      previous,
      after: formatFixed(after, 3),
      kernel,
    }),
  )
}
