import { errorBody, LabError } from '@expresslane/shared/base/errors'
import type { LoggedEvent } from '@expresslane/shared/run/events'
import type { RunState } from '@expresslane/shared/run/run-state'
import { jsonPieces } from '@expresslane/shared/wire/json-pieces'
import {
  opinionResponse,
  outputQuery,
  outputResponse,
  runAccepted,
  runQuery,
  runResponse,
  runsQuery,
  runsResponse,
} from '@expresslane/shared/wire/protocol'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { mostSecondsOf } from '../../access/policy.ts'
import type { Deps } from '../../deps.ts'
import { countLinesBefore, eventsOf, linesBefore, LONG_TAIL, readRun } from '../../runs/log/read-run.ts'
import { summaryOf } from '../../runs/log/summary.ts'
import { principalOf } from '../http/gate.ts'
import { asJson, sendPieces } from '../http/pieces.ts'
import { refusals, runParams } from '../http/schemas.ts'

/** A `RunResponse` as text. */
async function* runPieces(run: RunState, parts: AsyncIterable<readonly LoggedEvent[]> | null): AsyncGenerator<string> {
  yield '{"run":'
  yield* jsonPieces(run)
  if (parts !== null) {
    let before = ',"events":['
    for await (const part of parts) {
      yield before + part.map((one) => JSON.stringify(one)).join(',')
      before = ','
    }
    yield before === ',' ? ']' : `${before}]`
  }
  yield '}'
}

/** The history: all runs, and one run with its events. */
export function runRoutes({ store, reach }: Pick<Deps, 'store' | 'reach'>): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      '/api/runs',
      {
        schema: {
          summary: 'The history, newest first, in pages',
          tags: ['runs'],
          querystring: runsQuery,
          response: { 200: runsResponse, ...refusals },
        },
      },
      async (request) => {
        const { query } = request
        const { id, role } = principalOf(request)
        // One row more than requested shows whether there is another page.
        const found = store.runs.page({
          ...query,
          limit: query.limit + 1,
          ...(role === 'instructor' ? {} : { owner: id }),
        })
        const rows = found.slice(0, query.limit)
        const next = found.length > rows.length ? (rows.at(-1)?.id ?? null) : null
        return { runs: rows.map(summaryOf), next }
      },
    )

    app.get(
      '/api/runs/:id',
      {
        schema: {
          summary: 'A run: its state with the end of its output, and with `events` all its events',
          tags: ['runs'],
          params: runParams,
          querystring: runQuery,
          response: { 200: runResponse, ...refusals, 404: errorBody },
        },
      },
      async (request, reply) => {
        const { id } = reach.run(principalOf(request), request.params.id)
        const run = await readRun(store.events, id, LONG_TAIL)
        if (run === null) throw new LabError('not_found', 'This run does not exist.', 'Find the run in the history.')
        const events = request.query.events === 'true' ? eventsOf(store.events, id) : null
        return sendPieces(asJson(reply), runPieces(run, events))
      },
    )

    app.get(
      '/api/runs/:id/output',
      {
        schema: {
          summary: 'A part of the output of a run’s tools',
          description:
            'The last lines before event `before`, oldest first. `earlier` is the number of lines before them.',
          tags: ['runs'],
          params: runParams,
          querystring: outputQuery,
          response: { 200: outputResponse, ...refusals, 404: errorBody },
        },
      },
      async (request) => {
        const { id } = reach.run(principalOf(request), request.params.id)
        const { before = Number.MAX_SAFE_INTEGER, limit } = request.query
        const lines = linesBefore(store.events, id, before, limit)
        return { lines, earlier: await countLinesBefore(store.events, id, lines[0]?.seq ?? before) }
      },
    )
  }
}

/** The second opinion of the counted machine on an experiment. */
export function opinionRoutes({
  opinions,
  reach,
  config,
}: Pick<Deps, 'opinions' | 'reach' | 'config'>): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      '/api/runs/:id/opinion',
      {
        schema: {
          summary: 'The latest second opinion on an experiment: a run on the counted machine',
          description: 'Null if there is none, or none that you may read.',
          tags: ['runs'],
          params: runParams,
          response: { 200: opinionResponse, ...refusals, 404: errorBody },
        },
      },
      async (request) => {
        const principal = principalOf(request)
        const found = opinions.on(reach.run(principal, request.params.id))
        return { runId: found !== null && reach.hears(principal, found.id) ? found.id : null }
      },
    )

    app.post(
      '/api/runs/:id/opinion',
      {
        schema: {
          summary: 'Ask for a second opinion on an experiment that completed on netns',
          description:
            'Starts or queues the same plan on the counted machine. An opinion that waits, runs or has completed is returned instead.',
          tags: ['runs'],
          params: runParams,
          response: { 202: runAccepted, ...refusals, 404: errorBody, 409: errorBody, 424: errorBody },
        },
      },
      async (request, reply) => {
        const principal = principalOf(request)
        const { id } = reach.ownRun(principal, request.params.id)
        return reply.code(202).send(await opinions.ask(id, mostSecondsOf(principal, config)))
      },
    )
  }
}

/** Cancels a run, and moves a queued run to the front. */
export function runCommandRoutes({ scheduler, reach }: Pick<Deps, 'scheduler' | 'reach'>): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      '/api/runs/:id/cancel',
      {
        schema: {
          summary: 'Cancel a run and the remaining steps of its solve',
          description: 'Returns at once. The run ends as `cancelled` when its commands have stopped.',
          tags: ['runs'],
          params: runParams,
          response: { 202: runAccepted, ...refusals, 404: errorBody, 409: errorBody },
        },
      },
      async (request, reply) => {
        const { id } = reach.ownRun(principalOf(request), request.params.id)
        return reply.code(202).send(scheduler.cancel(id))
      },
    )

    app.post(
      '/api/runs/:id/jump',
      {
        schema: {
          summary: 'Move a queued run to the front of the line',
          tags: ['room'],
          params: runParams,
          response: { 202: runAccepted, ...refusals, 404: errorBody, 409: errorBody },
        },
      },
      async (request, reply) => {
        const { id } = reach.run(principalOf(request), request.params.id)
        return reply.code(202).send(scheduler.jump(id))
      },
    )
  }
}
