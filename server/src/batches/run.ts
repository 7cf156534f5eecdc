/** `npm run lab -- LAB --kernels ...`: measures the cells that have no result yet, and merges all into one result. */
import { resolve } from 'node:path'
import { toLabError } from '@expresslane/shared/base/errors'
import type { Lab } from '@expresslane/shared/labs/lab'
import { cellResult, type BatchCell } from '@expresslane/shared/wire/batch'
import type { Config } from '../config.ts'
import type { BatchArguments } from '../headless/arguments.ts'
import { onStopSignal } from '../process.ts'
import { openJobs } from '../testbeds/kubernetes/jobs/index.ts'
import { cellsOf, digestOf, nameOf, type CellEnd, type RunCells } from './cells.ts'
import { openFolder, type BatchFolder } from './folder.ts'
import { inCluster } from './in-cluster.ts'
import { chosenKernels } from './kernels.ts'
import { localCells, type LocalOptions } from './local.ts'
import { changeLines, writeMerged } from './merge.ts'

export type Say = (line: string) => void

/** Where relative paths start: the folder in which `npm` was called. */
export function pathOf(to: string): string {
  return resolve(process.env['INIT_CWD'] ?? '.', to)
}

/** @returns aborted by the first Ctrl-C; further signals change nothing */
export function stopSignal(say: Say): AbortSignal {
  const stop = new AbortController()
  onStopSignal(() => {
    if (stop.signal.aborted) return
    say('\nStopping ...')
    stop.abort()
  })
  return stop.signal
}

/** How this program measures a cell on this machine. */
export function localOptions(asked: Pick<LocalOptions, 'lab' | 'params' | 'parallel'>, say: Say): LocalOptions {
  const { argv, env } = process
  return { ...asked, env, program: argv[1] ?? '', begins: (cell) => say(`${nameOf(cell)}: measuring ...`) }
}

/** Keeps the result of a cell that ended, if it has one that is valid. @returns whether it has */
export async function keepEnd(folder: BatchFolder, cell: BatchCell, end: CellEnd, say: Say): Promise<boolean> {
  if ('problem' in end) {
    say(`${nameOf(cell)}: no result (${end.where})\n${end.problem}`)
    return false
  }
  try {
    const kept = cellResult.parse({ ...cell, where: end.where, result: JSON.parse(end.output) })
    await folder.keep(kept)
    const { comparison } = kept.result
    say(`${nameOf(cell)}: ${comparison?.sentence ?? 'measured'} (${end.where})`)
    return true
  } catch (error) {
    say(`${nameOf(cell)}: no valid result (${end.where})\n${toLabError(error).message}`)
    return false
  }
}

/**
 * @param say prints a line of progress
 * @returns the exit code: 0 only when each cell has a result
 */
export async function runBatch(asked: BatchArguments, lab: Lab, config: Config, say: Say): Promise<number> {
  const { engine, params, parallel } = asked
  const isLocal = engine === 'local'
  const kernels = await chosenKernels(asked.kernels, config.countedKernel, isLocal)
  const cells = cellsOf(lab, kernels, asked.case)
  const folder = await openFolder(pathOf(asked.to), { lab: lab.id, digest: digestOf(lab), engine, params, cells })
  const missing: BatchCell[] = []
  for (const cell of cells) if ((await folder.read(cell)) === null) missing.push(cell)
  say(`${cells.length} cells, of which ${cells.length - missing.length} have a result in ${folder.path}.`)
  const signal = stopSignal(say)
  const run: RunCells = isLocal
    ? localCells(localOptions({ lab: lab.id, params, parallel }, say))
    : inCluster({
        jobs: openJobs(
          { ...config.kubernetes, context: asked.context ?? config.kubernetes.context },
          config.testbedsIn,
        ),
        ...{ id: folder.batch.id, lab: lab.id, params, parallel, say },
      })
  if (missing.length > 0) {
    await run(missing, async (cell, end) => void (await keepEnd(folder, cell, end, say)), signal)
  }
  const { result, series } = await writeMerged(folder, lab.title)
  for (const line of changeLines(series)) say(line)
  say(`\n${result.note} The result is in ${folder.path}.`)
  if (result.missing.length === 0) return 0
  say(`Without a result: ${result.missing.map(nameOf).join(', ')}. The same command goes on with these.`)
  return signal.aborted ? 130 : 1
}
