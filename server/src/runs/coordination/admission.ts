/** Decides whether a request may run, and makes the solve of it. */
import { LabError } from '@expresslane/shared/base/errors'
import { actionProperties } from '@expresslane/shared/labs/actions'
import type { Lab, Step } from '@expresslane/shared/labs/lab'
import { labOn } from '@expresslane/shared/labs/on-testbed'
import { kindOf } from '@expresslane/shared/testbed/id'
import type { Session } from '@expresslane/shared/wire/protocol'
import type { SharedResources } from '../../testbeds/resources.ts'
import { sessionRuns } from '../log/session-runs.ts'
import { missingLab, planSteps, requireLab, type RunRequest } from './plan.ts'
import type { Quota } from './quota.ts'
import type { SessionParts } from './sessions.ts'
import { newSolve, NO_INCARNATION, type Solve } from './solve.ts'

/** Runs of one person that run or wait. More would only fill the board and the log. */
const MOST_OPEN = 16

export interface AdmissionParts extends SessionParts {
  readonly quota: Quota
  /** Why no run may start now; null if it may. */
  readonly unready: () => LabError | null
}

/** A request for a lab that exists. */
export interface CheckedRequest {
  readonly session: Session
  /** Null for a reset. */
  readonly request: RunRequest | null
  /** The person whose turn and limits count. */
  readonly person: string
  readonly lab: Lab
  /** The run gives the testbed back, so it is never refused because too much is stored. */
  readonly restores: boolean
}

/** @throws LabError `not_found`, and why no run may start now */
export function checkRequest(
  { findLab, unready }: AdmissionParts,
  session: Session,
  request: RunRequest | null,
): CheckedRequest {
  const found = findLab(session.labId)
  const listed = request === null ? (found ?? missingLab(session.labId)) : requireLab(found, session.labId)
  const lab = labOn(listed, kindOf(session.testbed))
  const step = lab.steps.find(({ id }) => id === request?.stepId)
  const restores = request === null || (!request.solve && actionProperties(step?.action).restores)
  const why = restores ? null : unready()
  if (why !== null) throw why
  return { session, request, person: request?.by ?? session.owner, lab, restores }
}

/**
 * @param known the testbed as it was just read
 * @throws LabError `queue_full`, `not_allowed`, `quota_reached`, and the errors of `planSteps`
 */
export function admit(
  parts: AdmissionParts,
  { session, request, person, lab, restores }: CheckedRequest,
  known: { readonly incarnation: string | null; readonly shared: SharedResources },
): Solve {
  const { store, ids, quota } = parts
  if (store.runs.openOf(person) >= MOST_OPEN) {
    throw new LabError(
      'queue_full',
      `You already have ${MOST_OPEN} running or waiting runs.`,
      'Wait until one has ended, or cancel one.',
    )
  }
  // Somebody who was removed meanwhile: their runs have been ended, and their testbed closes.
  if ((store.principals.find(session.owner)?.removedAt ?? null) !== null) {
    throw new LabError(
      'not_allowed',
      'This person’s access was taken back.',
      'Ask the instructor for a new invitation.',
    )
  }
  const incarnation = known.incarnation ?? NO_INCARNATION
  const steps: Step[] = request === null ? [] : planSteps(lab, request, sessionRuns(parts, session.id), incarnation)
  if (!restores) quota.require(person, steps.length)
  const [step = null, ...remaining] = steps
  return newSolve({
    session,
    person,
    lab,
    params: request?.params ?? {},
    solveTo: request?.solve === true ? request.stepId : null,
    shared: known.shared,
    remaining,
    run: { id: ids.run(), step, incarnation },
  })
}
