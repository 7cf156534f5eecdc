/** Builds the recording of a session or a run from the store. */
import { LabError } from '@expresslane/shared/wire/errors'
import { kindOf } from '@expresslane/shared/testbed/id'
import { recordRuns, type Recording } from '@expresslane/shared/recordings/recording'
import type { FindLab } from '../runs/coordination/busy.ts'
import type { Store } from '../store/open.ts'
import type { RunRow } from '../store/runs.ts'

export interface RecordParts {
  readonly store: Store
  readonly findLab: FindLab
}

function notReady(message: string, remedy: string): LabError {
  return new LabError('step_not_ready', message, remedy)
}

function record({ store }: RecordParts, name: string, rows: readonly RunRow[]): Recording {
  const [first] = rows
  if (first === undefined) throw notReady('This session has no runs yet.', 'Run a step, then record.')
  if (kindOf(first.testbed) === 'recording') {
    const remedy = 'Share the original recording, which the start page lists.'
    throw notReady('This session replays a recording, so its timing is not the measured one.', remedy)
  }
  const eventsOf = (of: readonly RunRow[]) => of.map(({ id }) => store.events.ofRun(id))
  const earlier = store.runs.ofSession(first.sessionId).filter(({ startedAt }) => startedAt <= first.startedAt)
  const made = recordRuns(name, first.labId, eventsOf(rows), eventsOf(earlier))
  if (made !== null) return made
  throw notReady(
    'No ended run of this session has facts about its testbed.',
    'Run preflight or a measurement in this session, wait until it has ended, and record again.',
  )
}

/** All ended runs of a session. @throws LabError `step_not_ready` if there are none */
export function recordSession(parts: RecordParts, sessionId: string): Recording {
  const rows = parts.store.runs.ofSession(sessionId)
  const labId = rows[0]?.labId ?? ''
  return record(parts, parts.findLab(labId)?.title ?? labId, rows)
}

/** One run. @throws LabError `step_not_ready` if it has not ended */
export function recordOneRun(parts: RecordParts, row: RunRow): Recording {
  const lab = parts.findLab(row.labId)
  const step = lab?.steps.find(({ id }) => id === row.stepId)
  return record(parts, `${lab?.title ?? row.labId}: ${step?.title ?? row.stepId}`, [row])
}
