/** Sessions as clients see them. */
import { RESET_STEP } from '@expresslane/shared/run/events'
import type { Session, SessionsResponse, SessionView } from '@expresslane/shared/wire/protocol'
import { testbedFor } from '@expresslane/shared/features/topology'
import type { RunState } from '@expresslane/shared/run/run-state'
import { shownRuns } from '@expresslane/shared/run/run-facts'
import type { TestbedId } from '@expresslane/shared/testbed/id'
import type { Store } from '../../store/open.ts'
import type { RunRow } from '../../store/runs.ts'
import type { FindLab } from './busy.ts'
import type { Clock } from '../clock.ts'
import type { Ids } from './ids.ts'
import { notOfThisLab, requireLab } from './plan.ts'
import { readRun, SHORT_TAIL } from '../log/read-run.ts'
import type { RunLog } from '../log/run-log.ts'
import { sessionRuns } from '../log/session-runs.ts'
import type { TestbedStatus } from '../live/status.ts'
import type { Testbeds } from '../testbeds.ts'

export interface SessionParts {
  readonly store: Store
  readonly log: RunLog
  readonly testbeds: Testbeds
  readonly status: TestbedStatus
  readonly findLab: FindLab
  readonly clock: Clock
  readonly ids: Ids
}

export interface SessionRequest {
  readonly labId: string
  /** An id without a context means the context in use. */
  readonly testbed: TestbedId
  /** The principal's id. */
  readonly owner: string
}

/**
 * @throws LabError `not_found` for an unknown lab, `testbed_unavailable` for a testbed that this server does not have,
 * `step_not_ready` if the testbed replays another lab
 */
export async function openSession(parts: SessionParts, request: SessionRequest): Promise<Session> {
  return addSession(parts, await allowedRequest(parts, request))
}

/** The latest session of this owner for this lab on this testbed; a new one where there is none. */
export async function findOrOpenSession(parts: SessionParts, asked: SessionRequest): Promise<Session> {
  const request = await allowedRequest(parts, asked)
  // No await from here on, so that two devices at the same time get the same session.
  const { labId, testbed, owner } = request
  const same = (one: Session): boolean => one.labId === labId && one.testbed === testbed
  return parts.store.sessions.of(owner).find(same) ?? addSession(parts, request)
}

function addSession({ ids, clock, store }: SessionParts, request: SessionRequest): Session {
  const session: Session = { id: ids.session(), ...request, createdAt: clock.now() }
  store.sessions.add(session)
  return session
}

async function allowedRequest({ findLab, testbeds }: SessionParts, request: SessionRequest): Promise<SessionRequest> {
  const lab = requireLab(findLab(request.labId), request.labId)
  const testbed = testbedFor(lab.feature, testbeds.resolve(request.testbed))
  const { labs } = await testbeds.get(testbed)
  if (labs !== null && !labs.has(lab.id)) throw notOfThisLab(lab)
  return { labId: lab.id, testbed, owner: request.owner }
}

/** The session, and up to event `seq` the state of its runs that still count, with the end of their output. */
export async function viewSession({ store, log, status }: SessionParts, session: Session): Promise<SessionView> {
  const incarnation = await status.incarnation(session.testbed)
  log.catchUp()
  // Events that come while the runs are read are after `seq`, and the stream repeats them.
  const seq = log.seq()
  const shown = shownRuns(sessionRuns({ store, log }, session.id))
  const runs: RunState[] = []
  for (const { id } of shown) {
    const run = await readRun(store.events, id, SHORT_TAIL, seq)
    if (run !== null) runs.push(run)
  }
  return { session, runs, incarnation, seq }
}

/** Uses only the rows, since folding every run of every session would read the whole log. */
function passedSteps(rows: readonly RunRow[]): string[] {
  const hasPassed = (row: RunRow): boolean => row.state === 'completed' && row.result?.passed === true
  const reset = rows.findLastIndex((row) => row.stepId === RESET_STEP && hasPassed(row))
  // A run that waits, or was cancelled in the queue, has not run.
  const since = rows.slice(reset + 1).filter(({ queuedAt }) => queuedAt === null)
  const latest = new Map(since.map((row) => [row.stepId, row]))
  return [...latest.values()].filter(hasPassed).map((row) => row.stepId)
}

function latestVerdict(rows: readonly RunRow[]): SessionsResponse['sessions'][number]['verdict'] {
  const row = rows.findLast(({ result }) => result?.verdict !== undefined)
  return row?.result?.verdict === undefined ? null : { ...row.result.verdict, at: row.startedAt }
}

export function viewSessions({ store }: Pick<SessionParts, 'store'>, of: readonly Session[]): SessionsResponse {
  const sessions = of.map((session) => {
    const rows = store.runs.ofSession(session.id)
    return {
      ...session,
      lastRunAt: rows.at(-1)?.startedAt ?? null,
      passedSteps: passedSteps(rows),
      verdict: latestVerdict(rows),
    }
  })
  return { sessions }
}
