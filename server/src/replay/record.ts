/** From what the store has of a session or a run to a recording of it. */
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
  if (first === undefined) throw notReady('Nothing has run in this session yet.', 'Run a step, then record.')
  if (kindOf(first.testbed) === 'recording') {
    const remedy = 'Hand on the recording itself: the start page lists it.'
    throw notReady('This was played back from a recording: its own timing is not the one measured.', remedy)
  }
  const eventsOf = (of: readonly RunRow[]) => of.map(({ id }) => store.events.ofRun(id))
  const earlier = store.runs.ofSession(first.sessionId).filter(({ startedAt }) => startedAt <= first.startedAt)
  const made = recordRuns(name, first.labId, eventsOf(rows), eventsOf(earlier))
  if (made !== null) return made
  throw notReady(
    'Nothing that has ended here tells where it was made.',
    'Run preflight or a measurement in this session, wait until it has ended, and record again.',
  )
}

/** All that has ended in a session. @throws LabError `step_not_ready` where there is nothing to record */
export function recordSession(parts: RecordParts, sessionId: string): Recording {
  const rows = parts.store.runs.ofSession(sessionId)
  const labId = rows[0]?.labId ?? ''
  return record(parts, parts.findLab(labId)?.title ?? labId, rows)
}

/** One run. @throws LabError `step_not_ready` where it has not ended */
export function recordOneRun(parts: RecordParts, row: RunRow): Recording {
  const lab = parts.findLab(row.labId)
  const step = lab?.steps.find(({ id }) => id === row.stepId)
  return record(parts, `${lab?.title ?? row.labId}: ${step?.title ?? row.stepId}`, [row])
}
