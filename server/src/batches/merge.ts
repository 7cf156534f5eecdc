/** Merges the cells of a batch into its result, its series and its chart. */
import { kernelsChart } from '@expresslane/shared/charts/kernels-chart'
import { paper } from '@expresslane/shared/charts/draw/chart'
import { standaloneSvg } from '@expresslane/shared/charts/draw/svg'
import { byRelease, seriesByKernel, type KernelSeries } from '@expresslane/shared/compare/by-kernel'
import type { BatchResult, CellResult, StoredBatch } from '@expresslane/shared/wire/batch'
import { nameOf } from './cells.ts'
import { jsonText, type BatchFolder } from './folder.ts'

export interface Merged {
  readonly result: BatchResult
  readonly series: readonly KernelSeries[]
  /** Null where no comparison was made on two kernels. */
  readonly chart: string | null
}

/** The kernel that the cell ran on. */
function kernelOf({ kernel, result }: CellResult): string {
  return kernel ?? result.testbed.kernel
}

function noteOf({ engine }: StoredBatch, cells: readonly CellResult[]): string {
  const places = new Set(cells.map(({ where }) => where)).size
  const where = engine === 'local' ? 'on one computer' : `in ${places} ${places === 1 ? 'pod' : 'pods'} of a cluster`
  return `Each of the ${cells.length} cells ran on a counted machine of its own, ${where}. Each is judged by itself.`
}

/** @param title the lab's @param cells all that were measured, in any order; pure */
export function merged(batch: StoredBatch, title: string, cells: readonly CellResult[]): Merged {
  const place = new Map(batch.cells.map((cell, index) => [nameOf(cell), index]))
  const sorted = cells.toSorted(
    (a, b) => byRelease(kernelOf(a), kernelOf(b)) || (place.get(nameOf(a)) ?? 0) - (place.get(nameOf(b)) ?? 0),
  )
  const there = new Set(cells.map(nameOf))
  const missing = batch.cells.filter((cell) => !there.has(nameOf(cell)))
  const series = seriesByKernel(sorted.map((one) => ({ kernel: kernelOf(one), comparisons: one.result.comparisons })))
  const note = noteOf(batch, cells)
  const several = new Set(sorted.map(kernelOf)).size > 1
  const chart = several ? kernelsChart(series, `${title}, by kernel`, paper) : null
  return {
    result: { ...batch, note, cells: sorted, missing },
    series,
    chart: chart === null ? null : standaloneSvg(chart, note),
  }
}

/** A sentence for each change of an effect. */
export function changeLines(series: readonly KernelSeries[]): string[] {
  return series
    .filter(({ against }) => against !== null)
    .flatMap(({ caseId, name, changes }) =>
      changes.map(({ previous, kernel, before, after }) => {
        const which = [name, caseId].filter((part) => part !== null).join(', ')
        return `${which}: from ${previous} to ${kernel} the ratio goes from ${before.toFixed(3)} to ${after.toFixed(3)}.`
      }),
    )
}

/** @returns what was written */
export async function writeMerged(folder: BatchFolder, title: string): Promise<Merged> {
  const all = merged(folder.batch, title, await folder.readAll())
  await folder.write('result.json', jsonText(all.result))
  await folder.write('series.json', jsonText(all.series))
  if (all.chart !== null) await folder.write('chart.svg', all.chart)
  return all
}
