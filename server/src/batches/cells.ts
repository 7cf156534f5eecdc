/** The cells of a batch: which there are, how each is named, and the command that measures one. Pure. */
import { createHash } from 'node:crypto'
import { LabError } from '@expresslane/shared/base/errors'
import { byRelease } from '@expresslane/shared/compare/by-kernel'
import { experimentOf } from '@expresslane/shared/labs/actions'
import type { Lab, StepParams } from '@expresslane/shared/labs/lab'
import { labOn } from '@expresslane/shared/labs/on-testbed'
import type { BatchCell } from '@expresslane/shared/wire/batch'

/** How a cell ended. */
export type CellEnd =
  | { readonly where: string; /** The text of the result. */ readonly output: string }
  | { readonly where: string; /** Why there is no result. */ readonly problem: string }

/**
 * Measures cells, each on a machine of its own. Ends early once the signal is aborted.
 *
 * @param ended called once for each cell that has ended, one call after the other
 */
export type RunCells = (
  cells: readonly BatchCell[],
  ended: (cell: BatchCell, end: CellEnd) => Promise<void>,
  signal: AbortSignal,
) => Promise<void>

/** The name of a cell's file, and its name for people. */
export function nameOf({ kernel, case: only }: BatchCell): string {
  return [kernel ?? 'default', only].filter((part) => part !== null).join('.')
}

/** Another lab has another digest, and so has another edition of the same lab. */
export function digestOf(lab: Lab): string {
  return createHash('sha256').update(JSON.stringify(lab)).digest('hex').slice(0, 24)
}

/** The cases that cells can have: those of the lab's experiment. None in a lab without an experiment, or with several. */
function casesOf(lab: Lab): string[] {
  const plans = labOn(lab, 'counted').steps.flatMap((step) => experimentOf(step)?.plan ?? [])
  return plans.length === 1 ? (plans[0]?.cases.map(({ id }) => id) ?? []) : []
}

/**
 * @param only the only case to measure; null for each case by itself
 * @throws LabError `bad_request` for a case that the lab does not have
 */
export function cellsOf(lab: Lab, kernels: readonly (string | null)[], only: string | null): BatchCell[] {
  const cases = casesOf(lab)
  if (only !== null && !cases.includes(only)) {
    const remedy =
      cases.length === 0
        ? 'Leave out --case: only labs with a single experiment can be divided.'
        : `Choose of its cases: ${cases.join(', ')}.`
    throw new LabError('bad_request', `The lab “${lab.title}” has no case “${only}”.`, remedy)
  }
  const wanted = only === null ? cases : [only]
  const sorted = [...new Set(kernels)].toSorted((a, b) => byRelease(a ?? '', b ?? ''))
  return sorted.flatMap((kernel): BatchCell[] =>
    wanted.length === 0 ? [{ kernel, case: null }] : wanted.map((one) => ({ kernel, case: one })),
  )
}

/** The arguments of the headless program for a cell. @param json the file for its result */
export function argumentsFor(lab: string, params: StepParams, { case: only }: BatchCell, json: string): string[] {
  const { repeats, seconds, warmups, order } = params
  const options = { case: only, repeats, duration: seconds, warmups, order, json }
  const given = Object.entries(options).filter(([, value]) => value !== undefined && value !== null)
  return [lab, '--testbed', 'counted', ...given.flatMap(([name, value]) => [`--${name}`, String(value)])]
}
