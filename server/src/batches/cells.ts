/** The cells of a batch: which there are, how each is named, and the command that measures one. Pure. */
import { LabError } from '@expresslane/shared/base/errors'
import { byRelease } from '@expresslane/shared/compare/by-kernel'
import { experimentOf } from '@expresslane/shared/labs/actions'
import type { Lab, StepParams } from '@expresslane/shared/labs/lab'
import { labOn } from '@expresslane/shared/labs/on-testbed'
import type { BatchCell } from '@expresslane/shared/wire/batch'
import type { TaskEnd } from '../testbeds/kubernetes/jobs/run.ts'

/**
 * Measures cells, each on a machine of its own. Ends early once the signal is aborted.
 *
 * @param ended called once for each cell that has ended, with the text of its result
 */
export type RunCells = (
  cells: readonly BatchCell[],
  ended: (cell: BatchCell, end: TaskEnd) => Promise<void>,
  signal: AbortSignal,
) => Promise<void>

/** The name of a cell's file, and its name for people. */
export function nameOf({ kernel, case: only }: BatchCell): string {
  return [kernel ?? 'default', only].filter((part) => part !== null).join('.')
}

/**
 * A lab with a single experiment is divided into its cases; any other lab is measured whole.
 *
 * @param only the only case to measure; null for each case
 * @throws LabError `bad_request` for a case that the lab does not have
 */
export function cellsOf(lab: Lab, kernels: readonly (string | null)[], only: string | null): BatchCell[] {
  const plans = labOn(lab, 'counted').steps.flatMap((step) => experimentOf(step)?.plan ?? [])
  const cases = plans.length === 1 ? (plans[0]?.cases.map(({ id }) => id) ?? []) : []
  if (only !== null && !cases.includes(only)) {
    const choose = `Choose of its cases: ${cases.join(', ')}.`
    const remedy = cases.length === 0 ? 'Leave out --case: only a lab with a single experiment is divided.' : choose
    throw new LabError('bad_request', `The lab “${lab.title}” has no case “${only}”.`, remedy)
  }
  const wanted = only !== null ? [only] : cases.length === 0 ? [null] : cases
  const sorted = [...new Set(kernels)].toSorted((a, b) => byRelease(a ?? '', b ?? ''))
  return sorted.flatMap((kernel) => wanted.map((one) => ({ kernel, case: one })))
}

/** The arguments of the headless program for a cell. @param json the file for its result */
export function argumentsFor(lab: string, params: StepParams, { case: only }: BatchCell, json: string): string[] {
  const { repeats, seconds, warmups, order } = params
  const options = Object.entries({ case: only, repeats, duration: seconds, warmups, order, json })
  const given = options.flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [`--${name}`, `${value}`],
  )
  return [lab, '--testbed', 'counted', ...given]
}
