import { errorBody } from '@expresslane/shared/base/errors'
import { jsonPieces } from '@expresslane/shared/wire/json-pieces'
import {
  createSessionBody,
  runAccepted,
  runStepBody,
  sessionsResponse,
  sessionView,
} from '@expresslane/shared/wire/protocol'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Deps } from '../../deps.ts'
import { mostSecondsOf } from '../../access/policy.ts'
import {
  findOrOpenSession,
  openSession,
  viewSession,
  viewSessions,
  type SessionParts,
} from '../../runs/coordination/sessions.ts'
import { principalOf } from '../http/gate.ts'
import { asJson, sendPieces } from '../http/pieces.ts'
import { refusals, sessionParams, stepRouteParams } from '../http/schemas.ts'

type Parts = SessionParts & Pick<Deps, 'reach' | 'scheduler' | 'room' | 'driving' | 'config'>

const startAnswers = { 202: runAccepted, ...refusals, 404: errorBody, 409: errorBody, 424: errorBody }

/** Sessions: begin one, list them, run steps, reset. */
export function sessionRoutes(deps: Parts): FastifyPluginAsyncZod {
  const { reach, scheduler, room, driving, config } = deps
  return async (app) => {
    app.post(
      '/api/sessions',
      {
        schema: {
          summary: 'Begin a session of a lab on a testbed',
          description: 'A participant has one session of a lab on a testbed: beginning it again returns that one.',
          tags: ['sessions'],
          body: createSessionBody,
          response: { 201: sessionView, ...refusals, 404: errorBody, 409: errorBody, 424: errorBody },
        },
      },
      async (request, reply) => {
        const principal = principalOf(request)
        const testbed = reach.testbedToUse(principal, request.body.testbed)
        const open = principal.role === 'participant' ? findOrOpenSession : openSession
        const session = await open(deps, { ...request.body, testbed, owner: principal.id })
        // Before its first run the log has no event of it.
        room.note()
        return reply.code(201).send(await viewSession(deps, session))
      },
    )

    app.get(
      '/api/sessions',
      {
        schema: {
          summary: 'The sessions that you may change, newest first',
          tags: ['sessions'],
          response: { 200: sessionsResponse, ...refusals },
        },
      },
      async (request) => viewSessions(deps, reach.sessions(principalOf(request))),
    )

    app.get(
      '/api/sessions/:id',
      {
        schema: {
          summary: 'A session and the state of its runs that still count, up to event `seq`',
          description:
            'Open the stream with `after=seq` to receive every later event. Earlier runs of a step are in the history.',
          tags: ['sessions'],
          params: sessionParams,
          response: { 200: sessionView, ...refusals, 404: errorBody },
        },
      },
      async (request, reply) => {
        const view = await viewSession(deps, reach.session(principalOf(request), request.params.id))
        return sendPieces(asJson(reply), jsonPieces(view))
      },
    )

    app.post(
      '/api/sessions/:id/steps/:step/run',
      {
        config: { bodyOptional: true },
        schema: {
          summary: 'Run a step; with `solve`, also every earlier step that is not done',
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
      async (request, reply) => {
        const { params, body } = request
        const principal = principalOf(request)
        const session = reach.ownSession(principal, params.id)
        driving.require(principal, session.testbed)
        const mostSeconds = mostSecondsOf(principal, config)
        const accepted = await scheduler.start(session, {
          stepId: params.step,
          ...body,
          by: principal.id,
          mostSeconds,
        })
        return reply.code(202).send(accepted)
      },
    )

    app.post(
      '/api/sessions/:id/reset',
      {
        schema: {
          summary: 'Restore the testbed and begin the session again',
          tags: ['sessions'],
          params: sessionParams,
          response: startAnswers,
        },
      },
      async (request, reply) => {
        const session = reach.ownSession(principalOf(request), request.params.id)
        driving.require(principalOf(request), session.testbed)
        return reply.code(202).send(await scheduler.reset(session))
      },
    )
  }
}
