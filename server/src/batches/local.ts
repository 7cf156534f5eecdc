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
import { argumentsFor, type CellEnd, type RunCells } from './cells.ts'

export interface LocalOptions {
  readonly lab: string
  readonly params: StepParams
  readonly parallel: number
  readonly env: NodeJS.ProcessEnv
  /** The file of the headless program. */
  readonly program: string
  readonly begins: (cell: BatchCell) => void
}

/** The last lines that a process prints, for its problem. */
const LINES_KEPT = 12
const HERE = 'this machine'

async function measure(
  { lab, params, env, program }: LocalOptions,
  cell: BatchCell,
  signal: AbortSignal,
): Promise<CellEnd> {
  const folder = await mkdtemp(join(tmpdir(), 'expresslane-cell-'))
  try {
    const json = join(folder, 'result.json')
    const kernel = cell.kernel === null ? {} : { EXPRESSLANE_COUNTED_KERNEL: cell.kernel }
    const node = [process.execPath, ...process.execArgv, program, ...argumentsFor(lab, params, cell, json)]
    // When this process is killed, the kernel stops the cell. QEMU needs setpriv, too.
    const child = spawn('setpriv', ['--pdeathsig', 'INT', ...node], {
      env: { ...env, ...kernel, EXPRESSLANE_DATA: join(folder, 'data') },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const stop = (): void => void child.kill('SIGINT')
    signal.addEventListener('abort', stop, { once: true })
    const lines: string[] = []
    createInterface(child.stderr).on('line', (line) => {
      lines.push(line)
      if (lines.length > LINES_KEPT) lines.shift()
    })
    const [code, killed] = await once(child, 'close')
    signal.removeEventListener('abort', stop)
    if (code === 0) return { where: HERE, output: await readFile(json, 'utf8') }
    return { where: HERE, problem: [`It ended with ${String(code ?? killed)}.`, ...lines].join('\n') }
  } catch (error) {
    return { where: HERE, problem: error instanceof Error ? error.message : String(error) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

export function localCells(options: LocalOptions): RunCells {
  return async (cells, ended, signal) => {
    let last = Promise.resolve()
    await pMap(
      cells,
      async (cell) => {
        if (signal.aborted) return
        options.begins(cell)
        const end = await measure(options, cell, signal)
        // What Ctrl-C cuts off is no failure of the cell.
        if (signal.aborted && 'problem' in end) return
        last = last.then(() => ended(cell, end))
        await last
      },
      { concurrency: options.parallel },
    )
  }
}
