import { errorBody, LabError } from '@expresslane/shared/wire/errors'
import {
  createSessionBody,
  runAccepted,
  runStepBody,
  sessionsResponse,
  sessionView,
  type Session,
} from '@expresslane/shared/wire/protocol'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Deps } from '../deps.ts'
import { openSession, viewSession, viewSessions } from '../runs/sessions.ts'
import { refusals, sessionParams, stepRouteParams } from './schemas.ts'

/** A learner's walk: open one, look at it, run its steps. */
export function sessionRoutes(deps: Deps): FastifyPluginAsyncZod {
  const { store, coordinator } = deps
  const startAnswers = { 202: runAccepted, ...refusals, 404: errorBody, 409: errorBody, 424: errorBody }

  function find(id: string): Session {
    const session = store.sessions.find(id)
    if (session !== null) return session
    throw new LabError('not_found', 'There is no such session.', 'Open the lab from the start page to begin a new one.')
  }

  return async (app) => {
    app.post(
      '/api/sessions',
      {
        schema: {
          summary: 'Begin a session of a lab on a testbed',
          tags: ['sessions'],
          body: createSessionBody,
          response: { 201: sessionView, ...refusals, 404: errorBody, 409: errorBody, 424: errorBody },
        },
      },
      async ({ body }, reply) => reply.code(201).send(await viewSession(deps, await openSession(deps, body))),
    )

    app.get(
      '/api/sessions',
      {
        schema: {
          summary: 'All sessions, newest first',
          tags: ['sessions'],
          response: { 200: sessionsResponse, ...refusals },
        },
      },
      async () => viewSessions(deps),
    )

    app.get(
      '/api/sessions/:id',
      {
        schema: {
          summary: 'A session and its runs, folded up to `seq`',
          description: 'Open the stream with `after=seq` and nothing is missed.',
          tags: ['sessions'],
          params: sessionParams,
          response: { 200: sessionView, ...refusals, 404: errorBody },
        },
      },
      async ({ params }) => viewSession(deps, find(params.id)),
    )

    app.post(
      '/api/sessions/:id/steps/:step/run',
      {
        config: { bodyOptional: true },
        schema: {
          summary: 'Run a step; with `solve` every step up to it that is not done',
          tags: ['sessions'],
          params: stepRouteParams,
          body: runStepBody,
          response: startAnswers,
        },
        preValidation: async (request) => {
          // A step without parameters needs no body.
          if (request.body === undefined) request.body = { params: {}, solve: false }
        },
      },
      async ({ params, body }, reply) => {
        const accepted = await coordinator.start(find(params.id), { stepId: params.step, ...body })
        return reply.code(202).send(accepted)
      },
    )

    app.post(
      '/api/sessions/:id/reset',
      {
        schema: {
          summary: 'Put the testbed back to what it was, and begin the walk again',
          tags: ['sessions'],
          params: sessionParams,
          response: startAnswers,
        },
      },
      async ({ params }, reply) => reply.code(202).send(await coordinator.reset(find(params.id))),
    )
  }
}
