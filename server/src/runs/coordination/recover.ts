/** Runs whose process is gone: they become `interrupted`, and their testbed is free again. */
import { LabError } from '@expresslane/shared/wire/errors'
import type { RunRow } from '../../store/runs.ts'
import type { Store } from '../../store/open.ts'
import { isAlive } from '../../store/owner.ts'
import type { Clock } from '../clock.ts'
import type { RunLog } from '../log/run-log.ts'
import { keptResultOf } from '../log/summary.ts'

export const interrupted = new LabError(
  'server_restarted',
  'Expresslane was cut off while this step was running.',
  'Run the step again. What it had done on the testbed is read anew.',
).toProblem()

/**
 * Ends every open run that nobody performs any more.
 *
 * @param isMine whether this process is performing the run right now
 * @param leave frees what the run held
 * @returns the runs that were ended
 */
export function recoverRuns(
  store: Store,
  log: RunLog,
  clock: Clock,
  isMine: (run: RunRow) => boolean,
  leave: (run: RunRow) => void,
): RunRow[] {
  const self = store.owner
  const gone = store.runs.running().filter((run) => (run.owner === self ? !isMine(run) : !isAlive(run.owner)))
  return gone.filter((run) =>
    log.together((append) => {
      const folded = log.state(run.id)
      const kept = folded === null ? { passed: null, measured: null } : keptResultOf(folded)
      // Another process may have ended it since it was read.
      if (!store.runs.end(run.id, 'interrupted', clock.now(), { ...kept, problem: interrupted })) return false
      leave(run)
      append(run.id, { type: 'run.ended', state: 'interrupted', problem: interrupted })
      return true
    }),
  )
}
