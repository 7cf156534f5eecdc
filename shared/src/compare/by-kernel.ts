/** A lab's comparisons on several kernels: each effect and each arm as a series over the kernels, with its changes. Pure. */
import { z } from 'zod'
import { COUNTED_RESOLUTION } from '../measure/counted-form.ts'
import { metricId } from '../measure/metrics.ts'
import { caseComparison, comparedRow, type CaseComparison } from './comparison.ts'
import { changePoints } from './stats/change-points.ts'

const change = z.strictObject({
  /** The first kernel with the new level, and the kernel before it in the series. */
  kernel: z.string(),
  previous: z.string(),
  /** The levels on both sides: geometric means up to the next change. */
  before: z.number(),
  after: z.number(),
})

export const kernelSeries = z.strictObject({
  caseId: caseComparison.shape.caseId,
  /** An arm's medians, or with `against` the ratio of the arm to another one. */
  arm: z.string(),
  against: z.string().nullable(),
  /** The arm's name for people. */
  name: z.string(),
  metric: metricId,
  /** In the order of the releases. */
  points: z.array(
    z.strictObject({
      kernel: z.string(),
      value: z.number(),
      /** Of a ratio: the 95 % interval of its comparison. */
      interval: comparedRow.shape.interval,
    }),
  ),
  changes: z.array(change),
})
export type KernelSeries = z.infer<typeof kernelSeries>
type Point = KernelSeries['points'][number]

/** The comparisons of one case on one kernel. */
export interface OnKernel {
  readonly kernel: string
  readonly comparisons: readonly CaseComparison[]
}

const releases = new Intl.Collator('en', { numeric: true })

/** Orders releases such as `6.12.117+deb12-cloud-amd64` by their numbers, the oldest first. */
export function byRelease(a: string, b: string): number {
  return releases.compare(a, b)
}

function changesIn(points: readonly Point[]): KernelSeries['changes'] {
  const values = points.map(({ value }) => value)
  return changePoints(values, COUNTED_RESOLUTION).flatMap(({ at, before, after }) => {
    const [previous, first] = [points[at - 1], points[at]]
    return previous === undefined || first === undefined
      ? []
      : [{ kernel: first.kernel, previous: previous.kernel, before, after }]
  })
}

/** A series for each effect, and one for each arm, by the main metric of each comparison. */
export function seriesByKernel(cells: readonly OnKernel[]): KernelSeries[] {
  const series = new Map<string, KernelSeries>()
  const add = (of: Omit<KernelSeries, 'points' | 'changes'>, point: Point): void => {
    const key = JSON.stringify([of.caseId, of.arm, of.against, of.metric])
    const known = series.get(key)
    // The first arm is in the comparison of each other arm.
    if (known === undefined) series.set(key, { ...of, points: [point], changes: [] })
    else if (known.points.at(-1)?.kernel !== point.kernel) known.points.push(point)
  }
  for (const { kernel, comparisons } of cells.toSorted((a, b) => byRelease(a.kernel, b.kernel))) {
    for (const { caseId, arm, against, comparison } of comparisons) {
      const [row] = comparison.rows
      if (row === undefined) continue
      const { metric, ratio, interval, off, on } = row
      add({ caseId, arm, against, name: comparison.on.name, metric }, { kernel, value: ratio, interval })
      const first = { caseId, arm: against, against: null, name: comparison.off.name, metric }
      add(first, { kernel, value: off, interval: null })
      add({ caseId, arm, against: null, name: comparison.on.name, metric }, { kernel, value: on, interval: null })
    }
  }
  return [...series.values()].map((one) => ({ ...one, changes: changesIn(one.points) }))
}
