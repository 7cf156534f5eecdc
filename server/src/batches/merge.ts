/** Merges the cells of a batch into its result, its series and its chart. */
import { kernelsChart } from '@expresslane/shared/charts/kernels-chart'
import { paper } from '@expresslane/shared/charts/draw/chart'
import { standaloneSvg } from '@expresslane/shared/charts/draw/svg'
import { byRelease, changeWords, seriesByKernel } from '@expresslane/shared/compare/by-kernel'
import type { BatchResult, CellResult, StoredBatch } from '@expresslane/shared/wire/batch'
import { nameOf } from './cells.ts'
import type { BatchFolder } from './folder.ts'

/** The kernel that the cell ran on. */
function kernelOf({ kernel, result }: CellResult): string {
  return kernel ?? result.testbed.kernel
}

function noteOf({ engine, cells }: StoredBatch, found: number): string {
  const where = engine === 'local' ? 'on one computer' : 'in pods of a cluster'
  return `${found} of ${cells.length} cells, each measured by a counted machine of its own, ${where}, and judged by itself.`
}

/** @param title the lab's @param say prints each change that was found @returns what was written */
export async function writeMerged(
  { batch, results, write }: BatchFolder,
  title: string,
  say: (line: string) => void,
): Promise<BatchResult> {
  const found = await results()
  const order = batch.cells.map(nameOf)
  const cells = [...found.values()].toSorted(
    (a, b) => byRelease(kernelOf(a), kernelOf(b)) || order.indexOf(nameOf(a)) - order.indexOf(nameOf(b)),
  )
  const missing = batch.cells.filter((cell) => !found.has(nameOf(cell)))
  const note = noteOf(batch, batch.cells.length - missing.length)
  const merged = { ...batch, note, cells, missing }
  await write('result.json', merged)
  const series = seriesByKernel(cells.map((one) => ({ kernel: kernelOf(one), comparisons: one.result.comparisons })))
  await write('series.json', series)
  const chart = new Set(cells.map(kernelOf)).size > 1 ? kernelsChart(series, `By kernel: ${title}`, paper) : null
  if (chart !== null) await write('chart.svg', standaloneSvg(chart, note))
  for (const line of series.flatMap(changeWords)) say(line)
  return merged
}
