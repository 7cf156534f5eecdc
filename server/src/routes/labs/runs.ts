import {
  listRuns,
  getRun,
  readOutput,
  readOpinion,
  askOpinion,
  cancelRun,
  jumpQueue,
} from '@expresslane/shared/wire/protocol'
import { serve } from '../http/serve.ts'
import { LabError } from '@expresslane/shared/base/errors'
import type { LoggedEvent } from '@expresslane/shared/run/events'
import type { RunState } from '@expresslane/shared/run/run-state'
import { jsonPieces } from '@expresslane/shared/wire/json-pieces'
import type { FastifyPluginAsync } from 'fastify'
import { mostSecondsOf } from '../../access/policy.ts'
import type { Deps } from '../../deps.ts'
import { countLinesBefore, eventsOf, linesBefore, LONG_TAIL, readRun } from '../../runs/log/read-run.ts'
import { summaryOf } from '../../runs/log/summary.ts'
import { asJson, sendPieces } from '../http/pieces.ts'

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
export function runRoutes({ store, reach }: Pick<Deps, 'store' | 'reach'>): FastifyPluginAsync {
  return async (app) => {
    serve(app, listRuns, {
      summary: 'The history, newest first, in pages',
      tags: ['runs'],
      handler: async ({ principal: { id, role }, query }) => {
        // An additional row shows whether there is another page.
        const found = store.runs.page({
          ...query,
          limit: query.limit + 1,
          ...(role === 'instructor' ? {} : { owner: id }),
        })
        const rows = found.slice(0, query.limit)
        const next = found.length > rows.length ? (rows.at(-1)?.id ?? null) : null
        const sessions = [...new Set(rows.map(({ sessionId }) => sessionId))].flatMap((of) => {
          const session = store.sessions.find(of)
          if (session === null) return []
          const { owner: _owner, ...head } = session
          return [{ ...head, verdict: store.runs.verdictOf(of) }]
        })
        return { runs: rows.map(summaryOf), next, sessions }
      },
    })

    serve(app, getRun, {
      summary: 'A run: its state with the end of its output, and with `events` all its events',
      tags: ['runs'],
      errors: [404],
      handler: async ({ principal, params, query }, reply) => {
        const { id } = reach.run(principal, params.id)
        const run = await readRun(store.events, id, LONG_TAIL)
        if (run === null) throw new LabError('not_found', 'This run does not exist.', 'Find the run in the history.')
        const events = query.events === 'true' ? eventsOf(store.events, id) : null
        return sendPieces(asJson(reply), runPieces(run, events))
      },
    })

    serve(app, readOutput, {
      summary: 'A part of the output of a run’s tools',
      description: 'The last lines before event `before`, oldest first. `earlier` is the number of lines before them.',
      tags: ['runs'],
      errors: [404],
      handler: async ({ principal, params, query }) => {
        const { id } = reach.run(principal, params.id)
        const { before = Number.MAX_SAFE_INTEGER, limit } = query
        const lines = linesBefore(store.events, id, before, limit)
        return { lines, earlier: await countLinesBefore(store.events, id, lines[0]?.seq ?? before) }
      },
    })
  }
}

/** The second opinion of the counted machine on an experiment. */
export function opinionRoutes({
  opinions,
  reach,
  config,
}: Pick<Deps, 'opinions' | 'reach' | 'config'>): FastifyPluginAsync {
  return async (app) => {
    serve(app, readOpinion, {
      summary: 'The latest second opinion on an experiment: a run on the counted machine',
      description: 'Null if there is none, or none that you may read.',
      tags: ['runs'],
      errors: [404],
      handler: async ({ principal, params }) => {
        const found = opinions.on(reach.run(principal, params.id))
        return { runId: found !== null && reach.hears(principal, found.id) ? found.id : null }
      },
    })

    serve(app, askOpinion, {
      summary: 'Ask for a second opinion on an experiment that completed on netns',
      description:
        'Starts or queues the same plan on the counted machine. An opinion that waits, runs or has completed is returned instead.',
      tags: ['runs'],
      errors: [404, 409, 424],
      handler: async ({ principal, params }) => {
        const { id } = reach.ownRun(principal, params.id)
        return await opinions.ask(id, mostSecondsOf(principal, config))
      },
    })
  }
}

/** Cancels a run, and moves a queued run to the front. */
export function runCommandRoutes({ scheduler, reach }: Pick<Deps, 'scheduler' | 'reach'>): FastifyPluginAsync {
  return async (app) => {
    serve(app, cancelRun, {
      summary: 'Cancel a run and the remaining steps of its solve',
      description: 'Returns at once. The run ends as `cancelled` when its commands have stopped.',
      tags: ['runs'],
      errors: [404, 409],
      handler: async ({ principal, params }) => {
        const { id } = reach.ownRun(principal, params.id)
        return scheduler.cancel(id)
      },
    })

    serve(app, jumpQueue, {
      summary: 'Move a queued run to the front of the line',
      tags: ['room'],
      errors: [404, 409],
      handler: async ({ principal, params }) => {
        const { id } = reach.run(principal, params.id)
        return scheduler.jump(id)
      },
    })
  }
}
