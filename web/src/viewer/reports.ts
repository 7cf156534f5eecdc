/** Makes reports of open recordings in the tab, as the server does. Loaded when somebody exports. */
import type { Lab, RunId } from '@expresslane/shared/labs/lab'
import { comparisonReport, outputOf, runReport, sessionReport, type RunRecord } from '@expresslane/shared/report/build'
import { mediaType, reportFileName, reportFormat, reportPieces } from '@expresslane/shared/report/file'
import type { Report } from '@expresslane/shared/report/model'
import type { SideName } from '@expresslane/shared/run/sides'
import type { Session } from '@expresslane/shared/wire/protocol'
import type { Player } from './player.ts'

/** The subject of a report. */
export interface Subject {
  readonly about: Report['about']
  /** For a comparison with the names of both sides. */
  readonly runs: readonly { readonly player: Player; readonly run: RunId; readonly name: SideName | null }[]
  readonly sessions: readonly Session[]
  readonly labs: readonly Lab[]
  /** Expresslane's version. */
  readonly madeBy: string
  /** Milliseconds since the epoch. */
  readonly now: number
}

async function recordOf(player: Player, id: RunId): Promise<RunRecord> {
  const [run, events] = await Promise.all([player.whole(id), player.reader.ask('events', { run: id })])
  if (run === null) throw new Error(`the recording has no run ${id}`)
  return { run, output: outputOf(events) }
}

async function reportOf({ about, runs, sessions, ...options }: Subject): Promise<Report> {
  const records: RunRecord[] = []
  for (const { player, run } of runs) records.push(await recordOf(player, run))
  const [first, second = first] = records
  const [session] = sessions
  const [before, after = before] = runs.map(({ name }) => name)
  if (first === undefined || second === undefined || session === undefined) throw new Error('a report has runs')
  if (about === 'session') return sessionReport(session, records, options)
  if (about === 'comparison' && before && after) {
    return comparisonReport(sessions, { name: before, record: first }, { name: after, record: second }, options)
  }
  const [{ player }] = runs as [Subject['runs'][number]]
  const place = player.opened.runs.findIndex(({ id }) => id === first.run.id)
  const earlier = await Promise.all(player.opened.runs.slice(0, place).map(({ id }) => player.whole(id)))
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
