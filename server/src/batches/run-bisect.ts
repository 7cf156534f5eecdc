/** `npm run lab -- bisect LAB GOOD BAD`: finds the package of the kernel with which a lab's result changed. */
import type { Lab } from '@expresslane/shared/labs/lab'
import { COUNTED_RESOLUTION } from '@expresslane/shared/measure/counted-form'
import type { BatchCell, CellResult } from '@expresslane/shared/wire/batch'
import type { BisectArguments } from '../headless/arguments.ts'
import { bisect, type Found, type Levels } from './bisect.ts'
import { cellsOf, digestOf } from './cells.ts'
import { jsonText, openFolder } from './folder.ts'
import { kernelsBetween, prepareKernel } from './kernels.ts'
import { localCells } from './local.ts'
import { writeMerged } from './merge.ts'
import { keepEnd, localOptions, pathOf, stopSignal, type Say } from './run.ts'

function levelsOf({ result }: CellResult): Levels | null {
  const { comparison } = result
  return comparison === null ? null : { on: comparison.on, ratio: comparison.ratio }
}

/** The kernel's package as the machine names it: its version and its digest. */
function packageOf(release: string, cells: readonly CellResult[]): string {
  const cell = cells.find(({ kernel }) => kernel === release)
  return `linux-image-${release} ${cell?.result.testbed.facts.versions['kernel package'] ?? ''}`.trimEnd()
}

function linesOf({ last, first, by, before, after, unmeasured }: Found, cells: readonly CellResult[]): string[] {
  const what = by === 'on' ? 'The median of the compared arm' : 'The ratio'
  const percent = ((after / before - 1) * 100).toFixed(1)
  return [
    `${what} changes by ${percent} % (from ${before.toPrecision(5)} to ${after.toPrecision(5)}) between these packages:`,
    `  ${packageOf(last, cells)}`,
    `  ${packageOf(first, cells)}`,
    ...(unmeasured.length === 0 ? [] : [`Between them, and not measured: ${unmeasured.join(', ')}.`]),
  ]
}

/** @returns the exit code: 0 only when the pair of packages was found */
export async function runBisect(asked: BisectArguments, lab: Lab, say: Say): Promise<number> {
  const { params, good, bad } = asked
  const signal = stopSignal(say)
  const [first] = cellsOf(lab, [good], asked.case)
  const only = first?.case ?? null
  const cells = [good, bad].map((kernel): BatchCell => ({ kernel, case: only }))
  const plan = { lab: lab.id, digest: digestOf(lab), engine: 'local' as const, params, cells }
  const folder = await openFolder(pathOf(asked.to), plan)
  const run = localCells(localOptions({ lab: lab.id, params, parallel: 1 }, say))

  async function measured(kernel: string): Promise<Levels | null> {
    const cell: BatchCell = { kernel, case: only }
    const found = await folder.read(cell)
    if (found !== null) return levelsOf(found)
    if (!(await prepareKernel(kernel, signal))) return null
    await run([cell], async (one, end) => void (await keepEnd(folder, one, end, say)), signal)
    signal.throwIfAborted()
    const kept = await folder.read(cell)
    return kept === null ? null : levelsOf(kept)
  }

  try {
    const releases = await kernelsBetween(good, bad, signal)
    say(`${releases.length} kernels from ${good} to ${bad}.`)
    const found = await bisect(releases, measured, COUNTED_RESOLUTION)
    const { result } = await writeMerged(folder, lab.title)
    await folder.write('bisect.json', jsonText(found))
    for (const line of linesOf(found, result.cells)) process.stdout.write(`${line}\n`)
    return 0
  } catch (error) {
    if (!signal.aborted) throw error
    say('Stopped. The same command goes on where it was.')
    return 130
  }
}
