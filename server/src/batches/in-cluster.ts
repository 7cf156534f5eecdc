/** Measures cells in a cluster: each is a pod of one Job, which runs this program in the server's image. */
import { LabError } from '@expresslane/shared/base/errors'
import type { ListedLab, StepParams } from '@expresslane/shared/labs/lab'
import type { RunJob } from '../testbeds/kubernetes/jobs/run.ts'
import { argumentsFor, nameOf, type RunCells } from './cells.ts'

/** In the image, whose folders are read-only besides `/tmp` in the Job's pods. */
const PROGRAM = ['node', '--no-memory-protection-keys', 'server/dist/headless.js']
const RESULT = '/tmp/result.json'

interface InClusterOptions {
  /** The batch's: the Job of an earlier start of this command is found by it. */
  readonly id: string
  readonly lab: string
  readonly params: StepParams
  readonly parallel: number
  readonly say: (line: string) => void
}

/** @throws LabError `bad_request` for a lab that pods do not have */
export function requireInPods({ id, origin }: Pick<ListedLab, 'id' | 'origin'>): void {
  if (origin === 'shipped') return
  throw new LabError(
    'bad_request',
    `The pods of a batch do not have your own lab ${id}: they have the labs of their image.`,
    'Measure it here, without --engine kubernetes. Or build an image with the lab in its folder labs.',
  )
}

export function inCluster(runJob: RunJob, { id, lab, params, parallel, say }: InClusterOptions): RunCells {
  return async (cells, ended, signal) => {
    const byName = new Map(cells.map((cell) => [nameOf(cell), cell]))
    const tasks = [...byName].map(([name, cell]) => {
      const kernel = cell.kernel === null ? [] : [`EXPRESSLANE_COUNTED_KERNEL=${cell.kernel}`]
      const argv = [
        'env',
        'EXPRESSLANE_DATA=/tmp/data',
        ...kernel,
        ...PROGRAM,
        ...argumentsFor(lab, params, cell, RESULT),
      ]
      return { name, argv, file: RESULT }
    })
    const listener = {
      say,
      async ended(name: string, end: Parameters<typeof ended>[1]) {
        const cell = byName.get(name)
        // An earlier Job can have cells whose result is here.
        if (cell !== undefined) await ended(cell, end)
      },
    }
    await runJob({ id, tasks, parallel }, listener, signal)
  }
}
