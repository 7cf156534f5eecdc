/** `npm run lab -- LAB --kernels ...`: measures the cells that have no result yet, and merges all into one result. */
import { join, resolve } from 'node:path'
import type { Lab, ListedLab } from '@expresslane/shared/labs/lab'
import { cellResult, type BatchCell } from '@expresslane/shared/wire/batch'
import type { Config } from '../config.ts'
import type { BatchArguments } from '../headless/arguments.ts'
import { digestOf } from '../labs/catalogue.ts'
import { onStopSignal } from '../process.ts'
import { openJobs } from '../testbeds/kubernetes/jobs/index.ts'
import { cellsOf, nameOf, type RunCells } from './cells.ts'
import { openFolder, type BatchFolder } from './folder.ts'
import { inCluster, requireInPods } from './in-cluster.ts'
import { chosenKernels } from './kernels.ts'
import { localCells } from './local.ts'
import { writeMerged } from './merge.ts'

type Say = (line: string) => void

/** The folder of `--to`, in which the batch begins or goes on. @throws LabError `bad_request`, `data_full` */
export function folderFor({ engine, params, to }: BatchArguments, lab: Lab, cells: BatchCell[]): Promise<BatchFolder> {
  const path = resolve(process.env['INIT_CWD'] ?? '.', to)
  return openFolder(path, { lab: lab.id, digest: digestOf(lab), engine, params, cells })
}

/** @returns aborted by Ctrl-C, which arrives twice, from the terminal and from npm */
export function stopSignal(say: Say): AbortSignal {
  const stop = new AbortController()
  stop.signal.addEventListener('abort', () => say('\nStopping. Run the same command to continue from here ...'))
  onStopSignal(() => stop.abort())
  return stop.signal
}

/** Keeps the valid results of cells, and says why a cell has none. */
export function keepIn(folder: BatchFolder, say: Say): Parameters<RunCells>[1] {
  return async (cell, end) => {
    const name = nameOf(cell)
    if ('problem' in end) {
      const log = join('cells', `${name}.log`)
      await folder.write(log, `${end.problem}\n`)
      const [reason = ''] = end.problem.split('\n')
      return say(`${name}: no result (${end.where}): ${reason}. ${join(folder.path, log)} has its output.`)
    }
    let result: unknown = null
    try {
      result = JSON.parse(end.output)
    } catch {
      // It is refused below.
    }
    const { data, error } = cellResult.safeParse({ ...cell, where: end.where, result })
    if (error !== undefined) return say(`${name}: no valid result (${end.where})\n${error.message}`)
    await folder.keep(data)
    say(`${name}: ${data.result.comparison?.sentence ?? 'measured'} (${end.where})`)
  }
}

/**
 * @param say prints a line of progress
 * @returns the exit code: 0 only when each cell has a result
 */
export async function runBatch(asked: BatchArguments, lab: ListedLab, config: Config, say: Say): Promise<number> {
  const { engine, params, parallel } = asked
  const isLocal = engine === 'local'
  if (!isLocal) requireInPods(lab)
  const cells = cellsOf(lab, await chosenKernels(asked.kernels, config.countedKernel, isLocal), asked.case)
  const folder = await folderFor(asked, lab, cells)
  const there = await folder.results()
  const missing = cells.filter((cell) => !there.has(nameOf(cell)))
  say(`${cells.length} cells, of which ${cells.length - missing.length} have a result in ${folder.path}.`)
  const signal = stopSignal(say)
  const options = { id: folder.batch.id, lab: lab.id, params, parallel, say }
  if (missing.length > 0) {
    const { env, context } = config.kubernetes
    const run = isLocal
      ? localCells(options)
      : inCluster(openJobs(env, asked.context ?? context, config.testbedsIn), options)
    await run(missing, keepIn(folder, say), signal)
  }
  const result = await writeMerged(folder, lab.title, say)
  say(`\n${result.note} ${folder.path} has the result.`)
  if (result.missing.length === 0) return 0
  say(`Without a result: ${result.missing.map(nameOf).join(', ')}. Run the same command to measure them.`)
  return signal.aborted ? 130 : 1
}
