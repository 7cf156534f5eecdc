/** Makes reports of open recordings in the tab, as the server does. Loaded when somebody exports. */
import type { Lab, RunId } from '@expresslane/shared/labs/lab'
import { comparisonReport, outputOf, runReport, sessionReport, type RunRecord } from '@expresslane/shared/report/build'
import { mediaType, reportFileName, reportFormat, reportPieces } from '@expresslane/shared/report/file'
import type { Report } from '@expresslane/shared/report/model'
import type { LoggedEvent } from '@expresslane/shared/run/events'
import type { RunState } from '@expresslane/shared/run/run-state'
import type { SideName } from '@expresslane/shared/run/sides'
import type { Session } from '@expresslane/shared/wire/protocol'

/** Runs with their events: those of a recording, or of the computer in this tab. */
export interface RunSource {
  /** Oldest first. */
  readonly runs: readonly RunId[]
  whole(run: RunId): Promise<RunState | null>
  events(run: RunId): Promise<readonly LoggedEvent[]>
}

/** The subject of a report. */
export interface Subject {
  readonly about: Report['about']
  /** For a comparison with the names of both sides. */
  readonly runs: readonly { readonly of: RunSource; readonly run: RunId; readonly name: SideName | null }[]
  readonly sessions: readonly Session[]
  readonly labs: readonly Lab[]
  /** Expresslane's version. */
  readonly madeBy: string
  /** Milliseconds since the epoch. */
  readonly now: number
}

async function recordOf(of: RunSource, id: RunId): Promise<RunRecord> {
  const [run, events] = await Promise.all([of.whole(id), of.events(id)])
  if (run === null) throw new Error(`there is no run ${id}`)
  return { run, output: outputOf(events) }
}

async function reportOf({ about, runs, sessions, ...options }: Subject): Promise<Report> {
  const records: RunRecord[] = []
  for (const { of, run } of runs) records.push(await recordOf(of, run))
  const [first, second = first] = records
  const [session] = sessions
  const [before, after = before] = runs.map(({ name }) => name)
  if (first === undefined || second === undefined || session === undefined) throw new Error('a report has runs')
  if (about === 'session') return sessionReport(session, records, options)
  if (about === 'comparison' && before && after) {
    return comparisonReport(sessions, { name: before, record: first }, { name: after, record: second }, options)
  }
  const [{ of }] = runs as [Subject['runs'][number]]
  const earlier = await Promise.all(of.runs.slice(0, of.runs.indexOf(first.run.id)).map((id) => of.whole(id)))
  return runReport(
    session,
    first,
    earlier.filter((run) => run !== null),
    options,
  )
}

/** @param asked the format; HTML if it is none. @returns the file, as the server sends it */
export async function reportFile(subject: Subject, asked: string | null): Promise<Response> {
  const format = reportFormat.catch('html').parse(asked)
  const report = await reportOf(subject)
  return new Response(new Blob([...reportPieces(report, format)]), {
    headers: {
      'content-type': mediaType[format],
      'content-disposition': `attachment; filename="${reportFileName(report, format)}"`,
    },
  })
}
