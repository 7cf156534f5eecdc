/** A line in the server's log when a run begins to wait, starts and ends. */
import type { Problem } from '@expresslane/shared/base/errors'
import type { LoggedEvent } from '@expresslane/shared/run/events'
import type { Logger } from 'pino'
import type { RunLog } from '../runs/log/run-log.ts'

/** A problem as a line names it: the detail can be a tool's whole output, which the run's own log has. */
function briefly(problem: Problem | null): { code: string; message: string } | null {
  return problem === null ? null : { code: problem.code, message: problem.message }
}

/** @returns unsubscribes */
export function logRuns(log: RunLog, logger: Logger): () => void {
  return log.subscribe(({ runId, at, event }: LoggedEvent) => {
    if (event.type !== 'run.queued' && event.type !== 'run.started' && event.type !== 'run.ended') return
    const state = log.state(runId)
    if (state === null) return
    const { sessionId, labId, stepId, testbed } = state
    const of = { runId, sessionId, labId, stepId, testbed }
    if (event.type === 'run.queued') logger.info({ ...of, place: event.place }, 'run queued')
    else if (event.type === 'run.started') logger.info(of, 'run started')
    else {
      const ended = { state: event.state, seconds: (at - state.startedAt) / 1000, problem: briefly(event.problem) }
      // A failed run is an operator's business. Other ends are a person's choice, or found by a restart.
      logger[event.state === 'failed' ? 'warn' : 'info']({ ...of, ...ended }, 'run ended')
    }
  })
}
