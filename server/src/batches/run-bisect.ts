/** `npm run lab -- bisect LAB GOOD BAD`: finds the package of the kernel with which a lab's result changed. */
import type { Lab } from '@expresslane/shared/labs/lab'
import { COUNTED_RESOLUTION } from '@expresslane/shared/measure/counted-form'
import type { CellResult } from '@expresslane/shared/wire/batch'
import type { BatchArguments } from '../headless/arguments.ts'
import { bisect, type Levels } from './bisect.ts'
import { cellsOf, nameOf } from './cells.ts'
import { kernelsBetween, prepareKernel } from './kernels.ts'
import { localCells } from './local.ts'
import { writeMerged } from './merge.ts'
import { folderFor, keepIn, stopSignal } from './run.ts'

/** The kernel's package as the machine names it: its version and its digest. */
function packageOf(release: string, cells: readonly CellResult[]): string {
  const cell = cells.find(({ kernel }) => kernel === release)
  return `  linux-image-${release} ${cell?.result.testbed.facts.versions['kernel package'] ?? ''}`
}

/** @param say prints a line of progress @returns the exit code: 0 only when the pair of packages was found */
export async function runBisect(asked: BatchArguments, lab: Lab, say: (line: string) => void): Promise<number> {
  const [good = '', bad = ''] = asked.kernels ?? []
  const signal = stopSignal(say)
  // A bisection has one question: of several cases the first is measured.
  const only = cellsOf(lab, [good], asked.case)[0]?.case ?? null
  const ends = [good, bad].map((kernel) => ({ kernel, case: only }))
  const folder = await folderFor(asked, lab, ends)
  const run = localCells({ lab: lab.id, params: asked.params, parallel: 1, say })

  async function measured(kernel: string): Promise<Levels | null> {
    const cell = { kernel, case: only }
    if (!(await folder.results()).has(nameOf(cell)) && (await prepareKernel(kernel, signal)))
      await run([cell], keepIn(folder, say), signal)
    signal.throwIfAborted()
    return (await folder.results()).get(nameOf(cell))?.result.comparison ?? null
  }

  try {
    const releases = await kernelsBetween(good, bad, signal)
    say(`${releases.length} kernels from ${good} to ${bad}.`)
    const found = await bisect(releases, measured, COUNTED_RESOLUTION)
    const { cells } = await writeMerged(folder, lab.title, say)
    await folder.write('bisect.json', found)
    const { last, first, by, before, after, unmeasured } = found
    const percent = ((after / before - 1) * 100).toFixed(1)
    const lines = [
      `${by === 'on' ? 'The median' : 'The ratio'} of the compared arm changes by ${percent} % between these packages:`,
      packageOf(last, cells),
      packageOf(first, cells),
      ...(unmeasured.length === 0 ? [] : [`Between them, and not measured: ${unmeasured.join(', ')}.`]),
    ]
    for (const line of lines) process.stdout.write(`${line}\n`)
    return 0
  } catch (error) {
    if (signal.aborted) return 130
    throw error
  }
}
