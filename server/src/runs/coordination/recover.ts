/** Ends the runs of ended processes as `interrupted`, and frees their testbeds. */
import { LabError } from '@expresslane/shared/wire/errors'
import type { RunRow } from '../../store/runs.ts'
import type { Store } from '../../store/open.ts'
import { isAlive } from '../../store/owner.ts'
import type { Clock } from '../clock.ts'
import type { RunLog } from '../log/run-log.ts'
import { keptResultOf } from '../log/summary.ts'

export const interrupted = new LabError(
  'server_restarted',
  'Expresslane stopped unexpectedly while this step was running.',
  'Run the step again. It reads the state of the testbed again first.',
).toProblem()

/**
 * Ends every open run whose process has ended.
 *
 * @param isMine whether this process performs the run now
 * @param leave frees the run's resources
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
      // Another process can have ended it since then.
      if (!store.runs.end(run.id, 'interrupted', clock.now(), { ...kept, problem: interrupted })) return false
      leave(run)
      append(run.id, { type: 'run.ended', state: 'interrupted', problem: interrupted })
      return true
    }),
  )
}
