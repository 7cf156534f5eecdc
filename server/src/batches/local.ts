/** Measures cells on this machine: each is a process of this program, with a counted machine of its own. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { StepParams } from '@expresslane/shared/labs/lab'
import type { BatchCell } from '@expresslane/shared/wire/batch'
import pMap from 'p-map'
import type { TaskEnd } from '../testbeds/kubernetes/jobs/run.ts'
import { argumentsFor, nameOf, type RunCells } from './cells.ts'

export interface LocalOptions {
  readonly lab: string
  readonly params: StepParams
  readonly parallel: number
  readonly say: (line: string) => void
}

const where = 'this machine'

async function measure({ lab, params }: LocalOptions, cell: BatchCell, signal: AbortSignal): Promise<TaskEnd> {
  const folder = await mkdtemp(join(tmpdir(), 'expresslane-cell-'))
  try {
    const json = join(folder, 'result.json')
    const program = [process.execPath, ...process.execArgv, process.argv[1] ?? '']
    const kernel = cell.kernel === null ? {} : { EXPRESSLANE_COUNTED_KERNEL: cell.kernel }
    // When this process is killed, the kernel stops the cell. The machine's QEMU needs setpriv, too.
    const child = spawn('setpriv', ['--pdeathsig', 'INT', ...program, ...argumentsFor(lab, params, cell, json)], {
      env: { ...process.env, ...kernel, EXPRESSLANE_DATA: join(folder, 'data') },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const stop = (): void => void child.kill('SIGINT')
    signal.addEventListener('abort', stop, { once: true })
    // Ctrl-C also arrives while the folder is made.
    if (signal.aborted) stop()
    const lines: string[] = []
    createInterface(child.stderr).on('line', (line) => void lines.push(line))
    await once(child, 'close')
    signal.removeEventListener('abort', stop)
    if (child.exitCode === 0) return { where, output: await readFile(json, 'utf8') }
    return { where, problem: [`it ended with ${child.exitCode ?? child.signalCode}`, ...lines].join('\n') }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

export function localCells(options: LocalOptions): RunCells {
  return async (cells, ended, signal) => {
    const run = async (cell: BatchCell): Promise<void> => {
      if (signal.aborted) return
      options.say(`${nameOf(cell)}: measuring ...`)
      const end = await measure(options, cell, signal)
      // A cell that Ctrl-C ended has not failed.
      if (!signal.aborted || 'output' in end) await ended(cell, end)
    }
    await pMap(cells, run, { concurrency: options.parallel })
  }
}
