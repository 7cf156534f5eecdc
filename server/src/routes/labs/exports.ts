import { errorBody, LabError } from '@expresslane/shared/wire/errors'
import type { RunId } from '@expresslane/shared/run/events'
import {
  comparisonReport,
  runReport,
  sessionReport,
  type NamedRun,
  type RunRecord,
} from '@expresslane/shared/report/build'
import {
  mediaType,
  reportFileName,
  reportFormat,
  reportPieces,
  type ReportFormat,
} from '@expresslane/shared/report/file'
import { report as reportSchema, type Report } from '@expresslane/shared/report/model'
import type { RunState } from '@expresslane/shared/run/run-state'
import { parseSideName, SIDE_NAME } from '@expresslane/shared/run/sides'
import { shownRuns } from '@expresslane/shared/run/walked-run'
import type { FastifyReply } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Principal } from '../../access/principal.ts'
import type { Deps } from '../../deps.ts'
import { NO_TAIL, readRun, storedOutput } from '../../runs/log/read-run.ts'
import { walkedRuns } from '../../runs/log/walk.ts'
import { principalOf } from '../http/gate.ts'
import { sendPieces } from '../http/pieces.ts'
import { refusals, REPORT_CSP, runParams, sessionParams } from '../http/schemas.ts'

const formatQuery = z.strictObject({ format: reportFormat.default('html') })
/** The same format as in the compare page's address. */
const sideName = z.string().max(200).regex(SIDE_NAME, 'expected RUN, RUN.ARM or RUN.ARM.CASE')
const compareQuery = formatQuery.extend({ a: sideName, b: sideName })

function sendFile(reply: FastifyReply, report: Report, format: ReportFormat): Promise<FastifyReply> {
  void reply
    .header('content-security-policy', REPORT_CSP)
    .header('content-disposition', `attachment; filename="${reportFileName(report, format)}"`)
    .header('cache-control', 'no-store')
    .type(mediaType[format])
  return sendPieces(reply, reportPieces(report, format))
}

/** Reports as files: of a session, of a run, or of any two runs side by side. */
export function exportRoutes(deps: Deps, version: string): FastifyPluginAsyncZod {
  const { store, log, labs, clock, reach, opinions } = deps
  const answers = {
    200: {
      description: 'The report as a file',
      content: Object.fromEntries(
        reportFormat.options.map((format) => [
          mediaType[format].split(';', 1)[0] ?? '',
          { schema: format === 'json' ? reportSchema : z.string() },
        ]),
      ),
    },
    ...refusals,
    404: errorBody,
  }

  async function record(id: RunId): Promise<RunRecord> {
    const run = await readRun(store.events, id, NO_TAIL)
    if (run === null) throw new LabError('not_found', 'This run does not exist.', 'Find the run in the history.')
    return { run, output: storedOutput(store.events, run) }
  }

  function findRun(principal: Principal, id: string): Promise<RunRecord> {
    return record(reach.run(principal, id).id)
  }

  async function findSide(principal: Principal, text: string): Promise<NamedRun> {
    const name = parseSideName(text)
    if (name === null)
      throw new LabError('bad_request', `“${text}” is not the name of a run.`, 'Use RUN, RUN.ARM or RUN.ARM.CASE.')
    return { name, record: await findRun(principal, name.run) }
  }

  /** The second opinions on these runs that a principal may read. */
  function opinionsOn(principal: Principal, runs: readonly RunRecord[]): RunState[] {
    return runs.flatMap(({ run: { id, plan } }) => {
      const row = plan === null ? null : store.runs.find(id)
      const found = row === null ? null : opinions.on(row)
      return found !== null && reach.hears(principal, found.id) ? (log.state(found.id) ?? []) : []
    })
  }

  const options = () => ({ labs: labs.all(), madeBy: `Expresslane ${version}`, now: clock.now() })

  return async (app) => {
    app.get(
      '/api/sessions/:id/report',
      {
        schema: {
          summary: 'A session’s report, as a file',
          description: '`html` is one self-contained file. docs/report-schema.json describes `json`.',
          tags: ['reports'],
          params: sessionParams,
          querystring: formatQuery,
          response: answers,
        },
      },
      async (request, reply) => {
        const { params, query } = request
        const session = reach.session(principalOf(request), params.id)
        const runs: RunRecord[] = []
        for (const { id } of store.runs.ofSession(session.id)) runs.push(await record(id))
        if (runs.length === 0) {
          throw new LabError('not_found', 'This session has no runs yet.', 'Run a step first, then export.')
        }
        const found = { ...options(), opinions: opinionsOn(principalOf(request), runs) }
        return sendFile(reply, sessionReport(session, runs, found), query.format)
      },
    )

    app.get(
      '/api/runs/:id/report',
      {
        schema: {
          summary: 'A run’s report, as a file',
          tags: ['reports'],
          params: runParams,
          querystring: formatQuery,
          response: answers,
        },
      },
      async (request, reply) => {
        const { params, query } = request
        const run = await findRun(principalOf(request), params.id)
        const session = reach.session(principalOf(request), run.run.sessionId)
        const before = walkedRuns(deps, session.id).filter(({ lastSeq }) => lastSeq < run.run.lastSeq)
        const earlier = shownRuns(before).flatMap(({ id }) => log.state(id) ?? [])
        const found = { ...options(), opinions: opinionsOn(principalOf(request), [run]) }
        const report = runReport(session, run, earlier, found)
        return sendFile(reply, report, query.format)
      },
    )

    app.get(
      '/api/compare/report',
      {
        schema: {
          summary: 'A comparison of two sides, with `a` as the baseline, as a file',
          description: 'A side is a run (`RUN`), or an arm and a case of an experiment (`RUN.ARM.CASE`).',
          tags: ['reports'],
          querystring: compareQuery,
          response: answers,
        },
      },
      async (request, reply) => {
        const { query } = request
        const principal = principalOf(request)
        const before = await findSide(principal, query.a)
        const after = await findSide(principal, query.b)
        const ids = new Set([before.record.run.sessionId, after.record.run.sessionId])
        const report = comparisonReport(
          [...ids].map((id) => reach.session(principal, id)),
          before,
          after,
          options(),
        )
        return sendFile(reply, report, query.format)
      },
    )
  }
}
