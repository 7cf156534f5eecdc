/** Measures cells in a cluster: each is a pod of one Job, which runs this program in the server's image. */
import type { StepParams } from '@expresslane/shared/labs/lab'
import type { Jobs, Task } from '../testbeds/kubernetes/jobs/index.ts'
import { argumentsFor, nameOf, type RunCells } from './cells.ts'

export interface InClusterOptions {
  readonly jobs: Jobs
  /** The batch's: the Job of an earlier start of this command is found by it. */
  readonly id: string
  readonly lab: string
  readonly params: StepParams
  readonly parallel: number
  readonly say: (line: string) => void
}

/** In the image, whose folders are read-only besides `/tmp` in the Job's pods. */
const PROGRAM = ['node', '--no-memory-protection-keys', 'server/dist/headless.js']
const RESULT = '/tmp/result.json'

export function inCluster({ jobs, id, lab, params, parallel, say }: InClusterOptions): RunCells {
  return async (cells, ended, signal) => {
    const tasks = cells.map((cell): Task => {
      const kernel = cell.kernel === null ? [] : [`EXPRESSLANE_COUNTED_KERNEL=${cell.kernel}`]
      const env = ['env', 'EXPRESSLANE_DATA=/tmp/data', ...kernel]
      return {
        name: nameOf(cell),
        argv: [...env, ...PROGRAM, ...argumentsFor(lab, params, cell, RESULT)],
        file: RESULT,
      }
    })
    const byName = new Map(cells.map((cell) => [nameOf(cell), cell]))
    const end: Parameters<Jobs['run']>[1]['ended'] = async (name, how) => {
      const cell = byName.get(name)
      // An earlier Job can have cells that have their result by now.
      if (cell !== undefined) await ended(cell, how)
    }
    await jobs.run({ id, tasks, parallel }, { ended: end, say }, signal)
  }
}
