/** The labs that a person completed, for a record. */
import { maxOf } from '@expresslane/shared/measure/extremes'
import type { Lab } from '@expresslane/shared/labs/lab'
import { isComplete } from '@expresslane/shared/run/progress'
import { isOfCase, resultsOf } from '@expresslane/shared/run/result'
import { shownRuns } from '@expresslane/shared/run/run-facts'
import { hasPassed, type RunState } from '@expresslane/shared/run/run-state'
import { kindOf, propertiesOf } from '@expresslane/shared/testbed/id'
import type { Session } from '@expresslane/shared/wire/protocol'
import { digestOf, type LabCatalogue } from '../labs/catalogue.ts'
import { NO_TAIL, readRun } from '../runs/log/read-run.ts'
import type { RunLog } from '../runs/log/run-log.ts'
import { sessionRuns } from '../runs/log/session-runs.ts'
import type { Store } from '../store/open.ts'
import type { CompletedLab } from './credential.ts'

interface Parts {
  readonly store: Pick<Store, 'sessions' | 'events'>
  readonly log: Pick<RunLog, 'state'>
  readonly labs: Pick<LabCatalogue, 'find'>
}

/** @param passed the runs that passed since the last reset */
function describe(lab: Lab, { testbed }: Session, passed: readonly RunState[]): CompletedLab {
  const steps = new Set(lab.steps.filter(({ action }) => action !== null).map(({ id }) => id))
  const ends = passed.filter(({ stepId }) => steps.has(stepId)).map(({ endedAt }) => endedAt ?? 0)
  return {
    lab: lab.id,
    title: lab.title,
    digest: digestOf(lab),
    testbed: kindOf(testbed),
    completedAt: new Date(maxOf(ends)).toISOString(),
    comparisons: resultsOf(lab, passed).flatMap(({ plan, comparisons }) =>
      comparisons.flatMap(({ caseId, comparison: { rows, off, on } }) =>
        rows.slice(0, 1).map(({ metric, verdict, ratio, interval }) => ({
          case: plan.cases.find((of) => isOfCase({ caseId }, of))?.label ?? null,
          baseline: off.name,
          arm: on.name,
          metric,
          verdict,
          ratio,
          interval,
        })),
      ),
    ),
  }
}

/** Each lab once, with the latest session in which it is complete. A playback of a recording completes nothing. */
export async function completedLabs({ store, log, labs }: Parts, owner: string): Promise<CompletedLab[]> {
  const found = new Map<string, CompletedLab>()
  for (const session of store.sessions.of(owner)) {
    const lab = labs.find(session.labId)
    if (lab?.listed !== true || found.has(lab.id) || propertiesOf(session.testbed).isRecorded) continue
    const facts = sessionRuns({ store, log }, session.id)
    if (!isComplete(lab, facts)) continue
    const passed: RunState[] = []
    for (const { id } of shownRuns(facts)) {
      const run = await readRun(store.events, id, NO_TAIL)
      if (run !== null && hasPassed(run)) passed.push(run)
    }
    found.set(lab.id, describe(lab, session, passed))
  }
  return [...found.values()]
}
