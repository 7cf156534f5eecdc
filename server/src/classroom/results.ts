/** Collects the results and the ways of everybody who joined, for one lab: also of people who were removed. */
import type { Lab } from '@expresslane/shared/labs/lab'
import type { RoomLine, RoomReport } from '@expresslane/shared/report/room/model'
import { actingSteps, labFigures } from '@expresslane/shared/report/room/steps/figures'
import type { StepsReport } from '@expresslane/shared/report/room/steps/model'
import type { Session } from '@expresslane/shared/wire/protocol'
import type { Clock } from '../runs/clock.ts'
import type { RunLog } from '../runs/log/run-log.ts'
import type { Store } from '../store/open.ts'
import { learnerOf, sessionsOfLearners, wayOf } from './learners.ts'
import type { Presence } from './presence.ts'
import { comparedIn, latestRuns, passedStepsOf } from './seat.ts'

export interface ResultParts {
  readonly store: Store
  readonly log: RunLog
  readonly clock: Clock
}

/** @param madeBy Expresslane and its version */
export function roomResults({ store, log, clock }: ResultParts, lab: Lab, madeBy: string): RoomReport {
  function lineOf({ id, owner, testbed }: Session): RoomLine[] {
    const person = store.principals.find(owner)
    if (person?.role !== 'participant') return []
    const latest = latestRuns(store.runs.ofSession(id))
    const compared = comparedIn(lab, latest, (run) => log.state(run))
    return [
      {
        name: person.name,
        sessionId: id,
        testbed,
        measuredAt: compared?.at ?? null,
        passedSteps: passedStepsOf(lab, latest).length,
        result: compared === null ? null : { family: compared.family, comparison: compared.comparison },
      },
    ]
  }

  // Oldest first: in the order in which people began.
  const sessions = store.sessions
    .all()
    .filter(({ labId }) => labId === lab.id)
    .toReversed()
  const steps = lab.steps.filter(({ action }) => action !== null).length
  return {
    lab: { id: lab.id, title: lab.title, question: lab.question, steps },
    madeBy,
    madeAt: clock.now(),
    lines: sessions.flatMap(lineOf),
  }
}

export interface StepsParts extends Omit<ResultParts, 'log'> {
  readonly presence: Presence
  /** A person without a page and without a run for so long has left, in milliseconds. */
  readonly idleMs: number
}

/** Where the room got stuck. A report without names holds none. */
export function roomSteps(
  { store, clock, presence, idleMs }: StepsParts,
  lab: Lab,
  made: Pick<StepsReport, 'named' | 'origin' | 'madeBy'>,
): StepsReport {
  const raised = store.hands.all()
  const sessions = sessionsOfLearners(lab, store.sessions.all())
  const learners = sessions.toReversed().flatMap((session) => {
    const person = store.principals.find(session.owner)
    if (person?.role !== 'participant') return []
    const way = wayOf(lab, session, store.runs.ofSession(session.id), store.runs.asked(session.id))
    const known = { name: made.named ? person.name : '', online: presence.isOnline(session.owner) }
    return [learnerOf(session, { ...way, ...known }, raised)]
  })
  const moment = { now: clock.now(), leftAfterMs: idleMs }
  const acting = new Set(actingSteps(lab).map(({ stepId }) => stepId))
  const steps = lab.steps.flatMap(({ id, title }, index) => (acting.has(id) ? [{ id, title, number: index + 1 }] : []))
  const { id, title, question } = lab
  const figures = labFigures(lab, learners, moment)
  return { ...made, lab: { id, title, question, steps }, learners, moment, figures }
}
