/** The parts of a lab that the tour plays. */
import { actionProperties, measuringOf } from '@expresslane/shared/labs/actions'
import type { Lab } from '@expresslane/shared/labs/lab'
import type { RecordingView } from '@expresslane/shared/recordings/recording'
import type { SessionId } from '@expresslane/shared/run/events'
import { runStep } from '@expresslane/shared/wire/protocol'
import { call } from '../api/request.ts'

/** The whole recording plays about this long: the rest of the minute is for reading. */
const PLAYBACK_MS = 40_000
/** The server's bounds. A recording that is shorter plays at its own pace. */
const [SLOWEST, FASTEST] = [1, 20]

export interface TourSteps {
  /** The last step before the first measurement. */
  readonly before: string
  /** The first step that compares. */
  readonly compare: string
}

/** Null for a lab that does nothing before it measures, or compares nothing. */
export function tourOf({ steps }: Lab): TourSteps | null {
  const measures = steps.findIndex((step) => measuringOf(step) !== null)
  const before = steps.slice(0, Math.max(0, measures)).findLast(({ action }) => action !== null)
  const compare = steps.find(({ action }) => actionProperties(action).compares !== null)
  return before === undefined || compare === undefined ? null : { before: before.id, compare: compare.id }
}

/** Plays all steps of a recording up to this step. */
export function playUpTo(session: SessionId, step: string, { lastsMs }: Pick<RecordingView, 'lastsMs'>) {
  const speed = Math.min(FASTEST, Math.max(SLOWEST, lastsMs / PLAYBACK_MS))
  return call(runStep, { params: { id: session, step }, body: { solve: true, params: { speed } } })
}
