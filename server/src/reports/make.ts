/** Makes a report from the database, in the worker thread. */
import { pipeline } from 'node:stream/promises'
import { Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import type { Lab } from '@expresslane/shared/labs/lab'
import {
  comparisonReport,
  runReport,
  sessionReport,
  type NamedRun,
  type ReportOptions,
  type RunRecord,
} from '@expresslane/shared/report/build'
import { mediaType, reportFileName, reportPieces, type ReportFormat } from '@expresslane/shared/report/file'
import type { Report } from '@expresslane/shared/report/model'
import { roomCsv } from '@expresslane/shared/report/room/csv'
import { roomHtml } from '@expresslane/shared/report/room/html'
import type { RoomReport } from '@expresslane/shared/report/room/model'
import { stepsCsv, stepsHtml } from '@expresslane/shared/report/room/steps/files'
import type { StepsReport } from '@expresslane/shared/report/room/steps/model'
import { stepsStatements } from '@expresslane/shared/report/room/steps/xapi'
import type { RunId } from '@expresslane/shared/run/events'
import type { RunState } from '@expresslane/shared/run/run-state'
import type { SideName } from '@expresslane/shared/run/sides'
import { assertNever, LabError } from '@expresslane/shared/base/errors'
import type { Session } from '@expresslane/shared/wire/protocol'
import { NO_TAIL, readRun, storedOutput } from '../runs/log/read-run.ts'
import type { Events } from '../store/events.ts'

/** The subject of a report. The person who asks may read all its sessions and runs. */
export type Subject =
  | { readonly about: 'session'; readonly session: Session; readonly runs: readonly RunId[] }
  | { readonly about: 'run'; readonly session: Session; readonly run: RunId; readonly earlier: readonly RunId[] }
  | {
      readonly about: 'comparison'
      readonly sessions: readonly Session[]
      readonly before: SideName
      readonly after: SideName
    }

export interface RunsTask {
  readonly subject: Subject
  readonly format: ReportFormat
  /** The labs of the subject. */
  readonly labs: readonly Lab[]
  /** Second opinions on its runs. */
  readonly opinions: readonly RunId[]
  readonly madeBy: string
  /** Milliseconds since the epoch. */
  readonly now: number
}

export interface RoomTask {
  readonly room: RoomReport
  readonly format: 'html' | 'csv'
}

export interface StepsTask {
  readonly steps: StepsReport
  readonly format: 'html' | 'csv' | 'json'
}

/** A report as a file. */
export interface ReportFile {
  readonly name: string
  readonly type: string
  /** Its text, compressed with gzip. */
  readonly gzip: Uint8Array<ArrayBuffer>
}

/** More text than this, compressed, is not kept in memory. */
const MOST_BYTES = 64 * 1024 * 1024

export function tooLarge(): LabError {
  return new LabError(
    'report_too_large',
    'This report is too large to be made.',
    'Export single runs instead, or record the session: a recording can have any length.',
  )
}

async function record(events: Events, id: RunId): Promise<RunRecord> {
  const run = await readRun(events, id, NO_TAIL)
  if (run === null) throw new LabError('not_found', 'This run does not exist.', 'Find the run in the history.')
  return { run, output: storedOutput(events, run) }
}

async function states(events: Events, ids: readonly RunId[]): Promise<RunState[]> {
  const found: RunState[] = []
  for (const id of ids) {
    const state = await readRun(events, id, NO_TAIL)
    if (state !== null) found.push(state)
  }
  return found
}

async function reportOf(events: Events, { subject, ...task }: RunsTask): Promise<Report> {
  const options: ReportOptions = { ...task, opinions: await states(events, task.opinions) }
  const side = async (name: SideName): Promise<NamedRun> => ({ name, record: await record(events, name.run) })
  switch (subject.about) {
    case 'session': {
      const runs: RunRecord[] = []
      for (const id of subject.runs) runs.push(await record(events, id))
      return sessionReport(subject.session, runs, options)
    }
    case 'run': {
      const earlier = await states(events, subject.earlier)
      return runReport(subject.session, await record(events, subject.run), earlier, options)
    }
    case 'comparison':
      return comparisonReport(subject.sessions, await side(subject.before), await side(subject.after), options)
    default:
      return assertNever(subject)
  }
}

/** @throws LabError `report_too_large` */
async function pack(pieces: Iterable<string>): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Buffer[] = []
  let bytes = 0
  await pipeline(Readable.from(pieces), createGzip(), async (packed: AsyncIterable<Buffer>) => {
    for await (const part of packed) {
      bytes += part.length
      if (bytes > MOST_BYTES) throw tooLarge()
      parts.push(part)
    }
  })
  return Buffer.concat(parts)
}

/** @throws LabError `not_found`, `report_too_large` */
export async function makeReport(events: Events, task: RunsTask): Promise<ReportFile> {
  const report = await reportOf(events, task)
  return {
    name: reportFileName(report, task.format),
    type: mediaType[task.format],
    gzip: await pack(reportPieces(report, task.format)),
  }
}

export async function makeRoomReport({ room, format }: RoomTask): Promise<ReportFile> {
  return {
    name: `expresslane-room-${room.lab.id}.${format}`,
    type: mediaType[format],
    gzip: await pack([format === 'csv' ? roomCsv(room) : roomHtml(room)]),
  }
}

const stepsFile: Readonly<Record<StepsTask['format'], (steps: StepsReport) => string>> = {
  html: stepsHtml,
  csv: stepsCsv,
  json: (steps) => JSON.stringify(stepsStatements(steps)),
}

export async function makeStepsReport({ steps, format }: StepsTask): Promise<ReportFile> {
  return {
    name: `expresslane-${format === 'json' ? 'xapi' : 'steps'}-${steps.lab.id}.${format}`,
    type: mediaType[format],
    gzip: await pack([stepsFile[format](steps)]),
  }
}
