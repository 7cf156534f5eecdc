/** Runs that the page shows whole: of an open recording, of a report, or of the computer in this tab. */
import type { RunId } from '@expresslane/shared/labs/lab'
import type { LoggedEvent } from '@expresslane/shared/run/events'
import { lineOf } from '@expresslane/shared/run/fold'
import type { OutputLine } from '@expresslane/shared/report/model'
import { takenIn, type LogLine, type RunState } from '@expresslane/shared/run/run-state'
import type { Session } from '@expresslane/shared/wire/protocol'

/** The id of the reader. */
export const READER = 'reader'

export type Line = LogLine & OutputLine

export interface RunSource {
  /** Names the file in an address: a URL, or an id. */
  readonly name: string
  readonly title: string
  /** In the order in which they ran. */
  readonly runs: readonly RunId[]
  /** The runs with measurements, with the ids of their steps. */
  readonly measured: readonly { readonly id: RunId; readonly stepId: string; readonly startedAt: number }[]
  readonly lab: string
  sessionOf(run: RunId): Session
  /** A run as it ended; null if the source does not have it. */
  whole(run: RunId): Promise<RunState | null>
  /** All lines of its output. */
  lines(run: RunId): Promise<readonly Line[]>
}

/** The line of an event with its time; none for an event without output. */
export function lineAt(logged: LoggedEvent): Line[] {
  const line = lineOf(logged)
  return line === null ? [] : [{ ...line, at: logged.at }]
}

/** The runs with measurements. */
export function measuredIn(runs: readonly RunState[]): RunSource['measured'] {
  return runs.filter((run) => takenIn(run).length > 0).map(({ id, stepId, startedAt }) => ({ id, stepId, startedAt }))
}
