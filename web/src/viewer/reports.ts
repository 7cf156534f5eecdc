/** Makes reports of open recordings in the tab, as the server does. Loaded when somebody exports. */
import type { Lab, RunId } from '@expresslane/shared/labs/lab'
import { comparisonReport, runReport, sessionReport, type RunRecord } from '@expresslane/shared/report/build'
import { mediaType, reportFileName, reportFormat, reportPieces } from '@expresslane/shared/report/file'
import type { Report } from '@expresslane/shared/report/model'
import type { SideName } from '@expresslane/shared/run/sides'
import type { Session } from '@expresslane/shared/wire/protocol'
import type { RunSource } from './source.ts'

/** The subject of a report. */
export interface Subject {
  readonly about: Report['about']
  /** For a comparison with the names of both sides. */
  readonly runs: readonly { readonly source: RunSource; readonly run: RunId; readonly name: SideName | null }[]
  readonly sessions: readonly Session[]
  readonly labs: readonly Lab[]
  /** Expresslane's version. */
  readonly madeBy: string
  /** Milliseconds since the epoch. */
  readonly now: number
}

async function recordOf(source: RunSource, id: RunId): Promise<RunRecord> {
  const [run, lines] = await Promise.all([source.whole(id), source.lines(id)])
  if (run === null) throw new Error(`the file has no run ${id}`)
  return { run, output: lines.map(({ at, kind, where, text }) => ({ at, kind, where, text })) }
}

async function reportOf({ about, runs, sessions, ...options }: Subject): Promise<Report> {
  const records: RunRecord[] = []
  for (const { source, run } of runs) records.push(await recordOf(source, run))
  const [first, second = first] = records
  const [session] = sessions
  const [was, is = was] = runs.map(({ name }) => name)
  if (first === undefined || second === undefined || session === undefined) throw new Error('a report has runs')
  if (about === 'session') return sessionReport(session, records, options)
  if (about === 'comparison' && was && is) {
    return comparisonReport(sessions, { name: was, record: first }, { name: is, record: second }, options)
  }
  const [{ source }] = runs as [Subject['runs'][number]]
  const before = source.runs.slice(0, source.runs.indexOf(first.run.id))
  const earlier = await Promise.all(before.map((id) => source.whole(id)))
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
