/** The run that the current code works for, known without being passed along: for lines in the server's log. */
import { AsyncLocalStorage } from 'node:async_hooks'

export interface RunIds {
  readonly runId: string
  readonly sessionId: string
}

const storage = new AsyncLocalStorage<RunIds>()

/** Runs `work`; whatever it starts works for this run, too. */
export function inRun<T>({ runId, sessionId }: RunIds, work: () => T): T {
  return storage.run({ runId, sessionId }, work)
}

/** Empty outside of a run. */
export function currentRun(): Partial<RunIds> {
  return storage.getStore() ?? {}
}
