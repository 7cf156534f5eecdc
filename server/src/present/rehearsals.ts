/** Runs a lab quickly before a talk, in a session of its own, and reports which steps will work. */
import { maxOf } from '@expresslane/shared/measure/extremes'
import { LabError } from '@expresslane/shared/base/errors'
import { measuringOf } from '@expresslane/shared/labs/actions'
import type { Lab, StepParams } from '@expresslane/shared/labs/lab'
import { labOn } from '@expresslane/shared/labs/on-testbed'
import { runsSinceReset } from '@expresslane/shared/run/progress'
import { kindOf, propertiesOf } from '@expresslane/shared/testbed/id'
import type { Session } from '@expresslane/shared/wire/protocol'
import type { Rehearsal } from '@expresslane/shared/wire/rehearsal'
import { sessionStates } from '../runs/log/session-runs.ts'
import type { Scheduler } from '../runs/coordination/scheduler.ts'
import { openSession, type SessionParts } from '../runs/coordination/sessions.ts'
import { createRehearsalReports, type Begun, type ReportParts } from './rehearsal-report.ts'

export interface RehearsalParts extends SessionParts, Pick<ReportParts, 'record' | 'keep' | 'onError'> {
  readonly scheduler: Pick<Scheduler, 'start' | 'reset' | 'settled'>
}

export interface Rehearsals {
  /**
   * Begins a rehearsal of a session's lab on its testbed. The session itself stays as it is. While one is running, that
   * rehearsal is returned.
   *
   * @throws LabError `not_found`, `bad_request` for a lab without a plan, `step_not_ready` if the session has begun,
   * `testbed_unavailable`
   */
  begin(of: Session): Promise<Rehearsal>
  /** The latest rehearsal; null if there was none since the start. */
  find(of: Session): Rehearsal | null
  /** Resolves with the report at the end of a rehearsal that has begun. */
  ended(of: Session): Promise<Rehearsal>
}

interface Entry extends Begun {
  /** Null until it has ended. */
  report: Rehearsal | null
  readonly end: Promise<Rehearsal>
}

/** A recording at its fastest; else one second, or the least that the lab allows. */
function quickly(lab: Lab, session: Session): StepParams {
  if (propertiesOf(session.testbed).isRecorded) return { speed: 20 }
  const least = lab.steps.flatMap((step) => measuringOf(step)?.seconds.min ?? [])
  return { seconds: maxOf(least, 1), switchOff: true }
}

/** A rehearsal restores its testbed at the end, so the effects of the session's steps would be gone. */
function hasBegun(): LabError {
  return new LabError(
    'step_not_ready',
    'Steps of this session have run, and a rehearsal would undo them on the testbed.',
    'Reset the lab, then rehearse.',
  )
}

export function createRehearsals(parts: RehearsalParts): Rehearsals {
  const { findLab, scheduler, clock } = parts
  const reports = createRehearsalReports(parts)
  const latest = new Map<string, Entry>()
  /** Rehearsals that are about to start: two windows begin one rehearsal. */
  const starting = new Map<string, Promise<Rehearsal>>()

  const keyOf = ({ labId, testbed }: Session): string => `${labId} ${testbed}`

  const view = (entry: Entry, lab: Lab): Rehearsal => entry.report ?? reports.running(entry, lab)

  function requireLab(of: Session): Lab {
    const lab = findLab(of.labId)
    if (lab === undefined) throw new LabError('not_found', 'This lab does not exist.', 'Reload the page.')
    return labOn(lab, kindOf(of.testbed))
  }

  async function start(of: Session, lab: Lab, stepId: string): Promise<Rehearsal> {
    const startedAt = clock.now()
    const session = await openSession(parts, { labId: of.labId, testbed: of.testbed, owner: of.owner })
    const request = { stepId, params: quickly(lab, session), solve: true }
    const { runId } = await scheduler.start(session, request)
    const begun = { session, runId, startedAt }
    const { promise, resolve } = Promise.withResolvers<Rehearsal>()
    const entry: Entry = { ...begun, report: null, end: promise }
    latest.set(keyOf(of), entry)
    void (async () => {
      entry.report = await reports.ended(begun, lab)
      resolve(entry.report)
    })()
    return view(entry, lab)
  }

  return {
    async begin(of) {
      const lab = requireLab(of)
      const key = keyOf(of)
      const running = latest.get(key)
      if (running?.report === null) return view(running, lab)
      const begun = starting.get(key)
      if (begun !== undefined) return begun
      const last = lab.steps.findLast(({ action }) => action !== null)
      if (!lab.listed || last === undefined) {
        throw new LabError('bad_request', 'This lab can’t be rehearsed.', 'Choose a lab with steps to run.')
      }
      if (!propertiesOf(of.testbed).isRecorded && runsSinceReset(sessionStates(parts, of.id)).length > 0)
        throw hasBegun()
      const started = start(of, lab, last.id).finally(() => starting.delete(key))
      starting.set(key, started)
      return started
    },
    find(of) {
      const entry = latest.get(keyOf(of))
      const lab = findLab(of.labId)
      return entry === undefined || lab === undefined ? null : view(entry, labOn(lab, kindOf(of.testbed)))
    },
    async ended(of) {
      const entry = latest.get(keyOf(of))
      if (entry !== undefined) return entry.end
      throw new LabError('not_found', 'This session was not rehearsed.', 'Begin a rehearsal first.')
    },
  }
}
