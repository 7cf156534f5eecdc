/** Writes simulated learners into a real store, event by event, with their times. */
import type { Attempt, Learner } from '@expresslane/shared/report/room/steps/learner'
import { runId, sessionId, type EndState } from '@expresslane/shared/run/events'
import { epochMs } from '@expresslane/shared/base/units'
import { testbedId } from '@expresslane/shared/testbed/id'
import type { Session } from '@expresslane/shared/wire/protocol'
import type { Store } from '../../../src/store/open.ts'

const at = (ms: number) => epochMs.parse(Math.round(ms))
/** The run waits from its request on, and begins so long before it ends. */
const RUNS_MS = 1000

function keepAttempt(store: Store, session: Session, attempt: Attempt): void {
  const { stepId, requestedAt, endedAt, hint } = attempt
  const id = runId.parse(attempt.runId)
  const { id: inSession, labId, testbed, owner: person } = session
  const head = { sessionId: inSession, labId, stepId, testbed, incarnation: 'one', params: {}, solveTo: null }
  const needs = { own: `testbed:${testbed}` as const, shared: [] }
  const times = { startedAt: at(requestedAt), queuedAt: at(requestedAt) }
  store.runs.add({ ...head, ...times, id, owner: store.owner, person, needs, remaining: [] })
  const place = { place: 1, expectedSeconds: null, paused: false }
  store.events.append(id, at(requestedAt), { type: 'run.queued', ...head, ...place })
  if (endedAt === null) return
  const started = at(Math.max(requestedAt, endedAt - RUNS_MS))
  store.runs.start(id, started, { stepId, incarnation: 'one', needs, remaining: [] })
  store.events.append(id, started, { type: 'run.started', ...head })
  const passed = attempt.end === 'passed'
  const outcome = { passed, sentence: 'Seen.', observations: [], hint: hint ? 'Look again.' : null }
  store.events.append(id, at(endedAt), { type: 'step.checked', outcome })
  const state: EndState = 'completed'
  store.events.append(id, at(endedAt), { type: 'run.ended', state, problem: null })
  store.runs.end(id, state, at(endedAt), { passed, measured: null, problem: null })
}

/** Each learner joins, begins the lab and makes their attempts. @param expiresAt when their logins end */
export function keepLearners(store: Store, labId: string, learners: readonly Learner[], expiresAt: number): void {
  store.transaction(() => {
    for (const { id, name, sessionId: session, startedAt, attempts } of learners) {
      const [joinedAt, expires] = [at(startedAt), at(expiresAt)]
      store.principals.add({ id, role: 'participant', name, invitation: null, joinedAt, expiresAt: expires })
      const testbed = testbedId.parse(`netns@${id}`)
      const begun = { id: sessionId.parse(session), labId, testbed, owner: id, createdAt: joinedAt }
      store.sessions.add(begun)
      for (const attempt of attempts) keepAttempt(store, begun, attempt)
    }
  })
}
