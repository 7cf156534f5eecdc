/** Takes over the queued runs of ended processes, and ends their running ones as `interrupted`. */
import { LabError, type Problem } from '@expresslane/shared/base/errors'
import type { RunRow } from '../../store/runs.ts'
import { isAlive } from '../../store/owner.ts'
import { endRun, type RunParts } from './run.ts'
import { solveOfRow, type Solve } from './solve.ts'

const interrupted = new LabError(
  'server_restarted',
  'Expresslane stopped unexpectedly while this step was running.',
  'Run the step again. It reads the state of the testbed again first.',
).toProblem()

/** Ends a queued run of any process. @returns false if it is not queued */
export function endQueued(parts: RunParts, id: RunRow['id'], state: 'cancelled' | 'interrupted'): boolean {
  const problem = state === 'interrupted' ? interrupted : null
  return parts.log.together(
    (append) => parts.store.runs.find(id)?.state === 'queued' && endRun(parts, append, id, { state, problem }),
  )
}

/** Takes over a queued run of an ended process. @returns its solve; null if the run has ended, or another process has it */
export function takeOver(parts: RunParts, row: RunRow): Solve | null {
  const { store, findLab } = parts
  // The person's access ended, and cancelled the run, but that could not be stored then.
  if ((store.principals.find(row.person)?.removedAt ?? null) !== null) {
    endQueued(parts, row.id, 'cancelled')
    return null
  }
  const session = store.sessions.find(row.sessionId)
  const solve = session === null ? null : solveOfRow(row, session, findLab(row.labId))
  if (solve === null) {
    endQueued(parts, row.id, 'interrupted')
    return null
  }
  return row.owner === store.owner || store.runs.adopt(row.id, row.owner, store.owner) ? solve : null
}

/**
 * Ends every running run whose process has ended, and every run of this process whose end could not be stored before.
 *
 * @param isMine whether this process performs the run now
 * @param lost the runs whose end could not be stored, and why. A run that is ended now is deleted from it
 */
export function endLost(
  parts: RunParts,
  isMine: (run: Pick<RunRow, 'id'>) => boolean,
  lost: Map<RunRow['id'], Problem>,
): void {
  const { store, log, runningRuns } = parts
  const isLost = (run: RunRow): boolean => run.owner === store.owner || !isAlive(run.owner)
  for (const { id } of runningRuns.all().filter((run) => !isMine(run))) {
    const row = store.runs.find(id)
    if (row === null || !isLost(row)) continue
    const problem = lost.get(id) ?? interrupted
    // Another process can have ended the run since then.
    if (log.together((append) => endRun(parts, append, id, { state: 'interrupted', problem }))) lost.delete(id)
  }
}
