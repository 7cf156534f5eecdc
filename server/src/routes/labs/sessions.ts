import { beginSession, listSessions, readSession, runStep, resetSession } from '@expresslane/shared/wire/protocol'
import { serve } from '../http/serve.ts'
import { jsonPieces } from '@expresslane/shared/wire/json-pieces'
import type { FastifyPluginAsync } from 'fastify'
import type { Deps } from '../../deps.ts'
import { mostSecondsOf } from '../../access/policy.ts'
import {
  findOrOpenSession,
  openSession,
  viewSession,
  viewSessions,
  type SessionParts,
} from '../../runs/coordination/sessions.ts'
import { asJson, sendPieces } from '../http/pieces.ts'

type Parts = SessionParts & Pick<Deps, 'reach' | 'scheduler' | 'room' | 'driving' | 'config'>

/** Sessions: begin one, list them, run steps, reset. */
export function sessionRoutes(deps: Parts): FastifyPluginAsync {
  const { reach, scheduler, room, driving, config } = deps
  return async (app) => {
    serve(app, beginSession, {
      summary: 'Begin a session of a lab on a testbed',
      description: 'A participant has one session of a lab on a testbed: beginning it again returns that one.',
      tags: ['sessions'],
      errors: [404, 409, 424],
      handler: async ({ principal, body }) => {
        const testbed = reach.testbedToUse(principal, body.testbed)
        const open = principal.role === 'participant' ? findOrOpenSession : openSession
        const session = await open(deps, { ...body, testbed, owner: principal.id })
        // Before its first run the log has no event of it.
        room.note()
        return await viewSession(deps, session)
      },
    })

    serve(app, listSessions, {
      summary: 'The sessions that you may change, newest first',
      tags: ['sessions'],
      handler: async ({ principal }) => viewSessions(deps, reach.sessions(principal)),
    })

    serve(app, readSession, {
      summary: 'A session and the state of its runs that still count, up to event `seq`',
      description:
        'Open the stream with `after=seq` to receive every later event. Earlier runs of a step are in the history.',
      tags: ['sessions'],
      errors: [404],
      handler: async ({ principal, params }, reply) => {
        const view = await viewSession(deps, reach.session(principal, params.id))
        return sendPieces(asJson(reply), jsonPieces(view))
      },
    })

    serve(app, runStep, {
      summary: 'Run a step; with `solve`, also every earlier step that is not done',
      tags: ['sessions'],
      errors: [404, 409, 424],
      config: { bodyOptional: true },
      preValidation: async (request) => {
        // A step without parameters needs no body.
        if (request.body === undefined) request.body = { params: {}, solve: false }
      },
      handler: async ({ principal, params, body }) => {
        const session = reach.ownSession(principal, params.id)
        driving.require(principal, session.testbed)
        const mostSeconds = mostSecondsOf(principal, config)
        return scheduler.start(session, {
          stepId: params.step,
          ...body,
          by: principal.id,
          mostSeconds,
        })
      },
    })

    serve(app, resetSession, {
      summary: 'Restore the testbed and begin the session again',
      tags: ['sessions'],
      errors: [404, 409, 424],
      handler: async ({ principal, params }) => {
        const session = reach.ownSession(principal, params.id)
        driving.require(principal, session.testbed)
        return await scheduler.reset(session)
      },
    })
  }
}
