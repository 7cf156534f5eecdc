/** The messages between the page and the worker that has a recording. */
import type { RunId } from '@expresslane/shared/labs/lab'
import type { LoggedEvent } from '@expresslane/shared/run/events'
import type { RunState } from '@expresslane/shared/run/run-state'
import type { Check, TestbedFacts } from '@expresslane/shared/testbed/testbed'
import type { RecordingView } from '@expresslane/shared/recordings/recording'
import type { RunSource } from '../source.ts'
import type { Hit, Moment, PlayedAs, TimedRun } from './timeline.ts'

/** The open recording. */
export interface Opened extends PlayedAs {
  readonly view: RecordingView
  readonly facts: TestbedFacts
  readonly checks: readonly Check[]
  readonly runs: readonly TimedRun[]
  readonly lastsMs: number
  /** The run with the latest comparison, else the latest run: a reader looks for its result first. */
  readonly result: TimedRun
  /** The runs with measurements. */
  readonly measured: RunSource['measured']
}

/** Each question with its answer. A worker is asked to open its recording first. */
export interface Questions {
  /** Null for the id of a file that did not come with the site. */
  open: { asked: { bytes: Uint8Array<ArrayBuffer>; id: string | null }; answer: Opened }
  /** Runs that the page has as they ended are not sent again. */
  moment: { asked: { at: number; has: readonly RunId[] }; answer: Moment }
  between: { asked: { after: number; until: number }; answer: LoggedEvent[] }
  whole: { asked: { run: RunId }; answer: RunState | null }
  events: { asked: { run: RunId }; answer: LoggedEvent[] }
  find: { asked: { sought: string }; answer: Hit[] }
}
export type QuestionName = keyof Questions
