/** Writes runs directly into a store, for tests of its readers. */
import { sessionId, type RunId } from '@expresslane/shared/run/events'
import { epochMs } from '@expresslane/shared/base/units'
import { thisMachine } from '@expresslane/shared/testbed/id'
import type { RunLog } from '../../../src/runs/log/run-log.ts'
import type { Store } from '../../../src/store/open.ts'

const SESSION = sessionId.parse('s_00000001')

/** Starts a run in the store and in the log. @param owner an ended process, whose run is to be recovered */
export function startedRun(
  store: Store,
  log: RunLog,
  id: RunId,
  { owner = store.owner, stepId = 'baseline', testbed = thisMachine } = {},
): void {
  const begun = {
    sessionId: SESSION,
    labId: 'big-tcp-ipv4',
    stepId,
    testbed,
    incarnation: 'one',
    params: {},
    solveTo: null,
  }
  if (store.sessions.find(SESSION) === null) {
    store.sessions.add({
      id: SESSION,
      labId: 'big-tcp-ipv4',
      testbed: thisMachine,
      owner: 'owner',
      createdAt: epochMs.parse(1),
    })
  }
  log.together((append) => {
    const needs = { own: `testbed:${testbed}` as const, shared: [] }
    const alone = { queuedAt: null, person: SESSION, needs, remaining: [] }
    store.runs.add({ ...begun, ...alone, id, startedAt: epochMs.parse(1), owner })
    store.holds.take(id, [needs.own])
    append(id, { type: 'run.started', ...begun })
  })
}

/** An ended run in the store, which nobody recovers, and whose log a test can continue. */
export function recordedRun(store: Store, log: RunLog, id: RunId): void {
  startedRun(store, log, id)
  store.runs.end(id, 'completed', epochMs.parse(2), { passed: null, measured: null, problem: null })
}
