/** Collects the results of everybody who joined, for one lab: also of people who were removed. */
import type { Lab } from '@expresslane/shared/labs/lab'
import type { RoomLine, RoomReport } from '@expresslane/shared/report/room/model'
import type { Session } from '@expresslane/shared/wire/protocol'
import type { Clock } from '../runs/clock.ts'
import type { RunLog } from '../runs/log/run-log.ts'
import type { Store } from '../store/open.ts'
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
