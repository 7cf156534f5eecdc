/** The learners of a lab, as the store and the open pages know them. */
import type { Lab } from '@expresslane/shared/labs/lab'
import type { Attempt, Learner } from '@expresslane/shared/report/room/steps/learner'
import type { RunId } from '@expresslane/shared/run/events'
import { hasTopologies, kindOf } from '@expresslane/shared/testbed/id'
import type { Session } from '@expresslane/shared/wire/protocol'
import type { Hand } from '../store/hands.ts'
import type { Asked, RunRow } from '../store/runs.ts'
import { hasPassed, isOpen, latestRuns, stepAt } from './seat.ts'

function endOf(row: RunRow): Attempt['end'] {
  if (isOpen(row)) return 'open'
  if (hasPassed(row)) return 'passed'
  return row.state === 'cancelled' || row.state === 'interrupted' ? 'stopped' : 'failed'
}

/** @param rows the session's, oldest first */
function attemptsOf({ owner }: Session, rows: readonly RunRow[], asked: ReadonlyMap<RunId, Asked>): Attempt[] {
  return rows.map((row, index) => {
    const { id: runId, stepId, endedAt, solveTo, person } = row
    const before = rows[index - 1]
    const end = endOf(row)
    return {
      runId,
      stepId,
      requestedAt: asked.get(runId)?.requestedAt ?? row.startedAt,
      endedAt,
      end,
      solved: solveTo !== null || person !== owner,
      onTheWay:
        solveTo !== null && before?.solveTo === solveTo && hasPassed(before) && before.remaining.includes(stepId),
      hint: end === 'failed' && asked.get(runId)?.hint === true,
    }
  })
}

/** Each person's session of the lab: on a testbed of their own, or else the newest. @param sessions newest first */
export function sessionsOfLearners(lab: Pick<Lab, 'id'>, sessions: readonly Session[]): Session[] {
  const inLab = sessions.filter(({ labId }) => labId === lab.id)
  return [...Map.groupBy(inLab, ({ owner }) => owner).values()].flatMap((own) => {
    return own.find(({ testbed }) => hasTopologies(kindOf(testbed))) ?? own[0] ?? []
  })
}

/** A session's way through the lab; it changes only with the session's runs. */
export interface Way {
  readonly stepId: string | null
  readonly attempts: readonly Attempt[]
}

/** @param rows the session's, oldest first */
export function wayOf(lab: Lab, session: Session, rows: readonly RunRow[], asked: ReadonlyMap<RunId, Asked>): Way {
  return { stepId: stepAt(lab, latestRuns(rows)), attempts: attemptsOf(session, rows, asked) }
}

export function learnerOf(
  { id: sessionId, owner, createdAt }: Session,
  known: Way & Pick<Learner, 'name' | 'online'>,
  hands: readonly Pick<Hand, 'sessionId' | 'stepId' | 'raisedAt'>[],
): Learner {
  const own = hands.filter((one) => one.sessionId === sessionId)
  return {
    ...known,
    id: owner,
    sessionId,
    startedAt: createdAt,
    hands: own.map(({ stepId, raisedAt }) => ({ stepId, raisedAt })),
  }
}
