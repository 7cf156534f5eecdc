import { gzipSync } from 'node:zlib'
import { errorBody, LabError } from '@expresslane/shared/base/errors'
import { foundHtml, foundIn, foundMarkdown } from '@expresslane/shared/report/across-labs'
import { mediaType, reportFormat } from '@expresslane/shared/report/file'
import { report as reportSchema } from '@expresslane/shared/report/model'
import type { RunId } from '@expresslane/shared/run/events'
import { parseSideName, SIDE_NAME, type SideName } from '@expresslane/shared/run/sides'
import { shownRuns } from '@expresslane/shared/run/run-facts'
import { downloadFound, runParams, sessionParams } from '@expresslane/shared/wire/protocol'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Principal } from '../../access/principal.ts'
import type { Deps } from '../../deps.ts'
import type { Subject, RunsTask } from '../../reports/make.ts'
import type { Reports } from '../../reports/make-apart.ts'
import { viewSessions } from '../../runs/coordination/sessions.ts'
import { sessionRuns } from '../../runs/log/session-runs.ts'
import type { RunRow } from '../../store/runs.ts'
import { type Kept, packedReport, sendPacked } from '../http/kept.ts'
import { serve } from '../http/serve.ts'
import { refusals } from '../http/schemas.ts'

const formatQuery = z.strictObject({ format: reportFormat.default('html') })
/** The same format as in the compare page's address. */
const sideName = z.string().max(200).regex(SIDE_NAME, 'expected RUN, RUN.ARM or RUN.ARM.CASE')
const compareQuery = formatQuery.extend({ a: sideName, b: sideName })

/** Beyond the last event. */
const END = Number.MAX_SAFE_INTEGER

type ReportParts = Pick<Deps, 'store' | 'labs' | 'clock' | 'reach' | 'opinions'>

type SendReport = (
  request: FastifyRequest,
  reply: FastifyReply,
  format: RunsTask['format'],
  subject: Subject,
  runs: readonly RunRow[],
) => Promise<FastifyReply>

/** Makes a report once for all who ask for it until one of its runs, its labs or the day changes. */
function reportSender({ store, labs, clock, reach, opinions }: ReportParts, kept: Kept, reports: Reports): SendReport {
  /** The second opinions on these runs that a principal may read. */
  function opinionsOn(principal: Principal, runs: readonly RunRow[]): RunId[] {
    return runs.flatMap((run) => {
      const found = opinions.on(run)
      return found !== null && reach.hears(principal, found.id) ? [found.id] : []
    })
  }

  /** Events are only added: a run with the same last one is the same. */
  function revisionOf({ subject, opinions: others }: Pick<RunsTask, 'subject' | 'opinions'>): string {
    const { about } = subject
    const runs =
      about === 'session'
        ? subject.runs
        : about === 'run'
          ? [subject.run, ...subject.earlier]
          : [subject.before.run, subject.after.run]
    return [...runs, ...others].map((id) => `${id}@${store.events.lastOf(id, END)}`).join(' ')
  }

  return (request, reply, format, subject, runs) => {
    const ids = new Set(runs.map(({ labId }) => labId))
    const task = {
      subject,
      format,
      labs: labs.all().filter(({ id }) => ids.has(id)),
      opinions: opinionsOn(request.principal, runs),
    }
    // A report shows the day that it was made.
    const day = new Date(clock.now()).toISOString().slice(0, 10)
    const key = `report ${day} ${labs.revision()} ${format} ${JSON.stringify(subject)} ${revisionOf(task)}`
    return kept.send(request, reply, key, async () => packedReport(await reports.make(task)))
  }
}

/** Reports as files: of a session, of a run, or of any two runs side by side. */
export function exportRoutes(
  deps: ReportParts & Pick<Deps, 'log'>,
  kept: Kept,
  reports: Reports,
): FastifyPluginAsyncZod {
  const { store, reach } = deps
  const sendReport = reportSender(deps, kept, reports)
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
    413: errorBody,
  }

  function described<Parts extends object>(parts: Parts) {
    return { schema: { ...parts, tags: ['reports'], response: answers } }
  }

  function sideNamed(text: string): SideName {
    const name = parseSideName(text)
    if (name !== null) return name
    throw new LabError('bad_request', `“${text}” is not the name of a run.`, 'Use RUN, RUN.ARM or RUN.ARM.CASE.')
  }

  return async (app) => {
    app.get(
      '/api/sessions/:id/report',
      described({
        summary: 'A session’s report, as a file',
        description: '`html` is one self-contained file. docs/report-schema.json describes `json`.',
        params: sessionParams,
        querystring: formatQuery,
      }),
      async (request, reply) => {
        const { principal, params, query } = request
        const session = reach.session(principal, params.id)
        const runs = store.runs.ofSession(session.id)
        if (runs.length === 0) {
          throw new LabError('not_found', 'This session has no runs yet.', 'Run a step first, then export.')
        }
        const subject = { about: 'session', session, runs: runs.map(({ id }) => id) } as const
        return sendReport(request, reply, query.format, subject, runs)
      },
    )

    app.get(
      '/api/runs/:id/report',
      described({ summary: 'A run’s report, as a file', params: runParams, querystring: formatQuery }),
      async (request, reply) => {
        const { principal, params, query } = request
        const run = reach.run(principal, params.id)
        const session = reach.session(principal, run.sessionId)
        const last = store.events.lastOf(run.id, END)
        const before = sessionRuns(deps, session.id).filter(({ lastSeq }) => lastSeq < last)
        const earlier = shownRuns(before).map(({ id }) => id)
        return sendReport(request, reply, query.format, { about: 'run', session, run: run.id, earlier }, [run])
      },
    )

    app.get(
      '/api/compare/report',
      described({
        summary: 'A comparison of two sides, with `a` as the baseline, as a file',
        description: 'A side is a run (`RUN`), or an arm and a case of an experiment (`RUN.ARM.CASE`).',
        querystring: compareQuery,
      }),
      async (request, reply) => {
        const { principal, query } = request
        const [before, after] = [sideNamed(query.a), sideNamed(query.b)]
        const runs = [before, after].map(({ run }) => reach.run(principal, run))
        const ids = new Set(runs.map(({ sessionId }) => sessionId))
        const sessions = [...ids].map((id) => reach.session(principal, id))
        return sendReport(request, reply, query.format, { about: 'comparison', sessions, before, after }, runs)
      },
    )
  }
}

/** The report of a person's latest verdicts in all labs. */
export function foundRoutes(deps: Pick<Deps, 'store' | 'labs' | 'clock'>, madeBy: string): FastifyPluginAsyncZod {
  const { store, labs, clock } = deps
  return async (app) => {
    serve(app, downloadFound, {
      summary: 'The latest verdict of each lab in your own sessions, as a file',
      description: 'Playbacks of recordings are left out.',
      tags: ['reports'],
      file: 'The report as a file',
      handler: async (request, reply) => {
        const { format } = request.query
        const { sessions } = viewSessions(deps, store.sessions.of(request.principal.id))
        const found = { lines: foundIn(labs.all(), sessions), madeBy, madeAt: clock.now() }
        const text = format === 'md' ? foundMarkdown(found) : foundHtml(found)
        const name = `expresslane-found.${format}`
        return sendPacked(request, reply, packedReport({ name, type: mediaType[format], gzip: gzipSync(text) }))
      },
    })
  }
}
