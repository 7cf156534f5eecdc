/** Ends the runs of ended processes as `interrupted`, and frees their testbeds. */
import { LabError, type Problem } from '@expresslane/shared/base/errors'
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

interface RecoverParts {
  readonly store: Store
  readonly log: RunLog
  readonly clock: Clock
  /** Whether this process performs the run now. */
  isMine(run: RunRow): boolean
  /** Frees the run's resources. */
  leave(run: RunRow): void
  /** Why the run did not go on. */
  problemOf(run: RunRow): Problem
}

/**
 * Ends every open run whose process has ended, and those of this process whose end could not be stored before.
 *
 * @returns the runs that were ended
 */
export function recoverRuns({ store, log, clock, isMine, leave, problemOf }: RecoverParts): RunRow[] {
  const self = store.owner
  const gone = store.runs.running().filter((run) => (run.owner === self ? !isMine(run) : !isAlive(run.owner)))
  return gone.filter((run) =>
    log.together((append) => {
      const folded = log.state(run.id)
      const kept = folded === null ? { passed: null, measured: null } : keptResultOf(folded)
      const problem = problemOf(run)
      // Another process can have ended it since then.
      if (!store.runs.end(run.id, 'interrupted', clock.now(), { ...kept, problem })) return false
      leave(run)
      append(run.id, { type: 'run.ended', state: 'interrupted', problem })
      return true
    }),
  )
}
