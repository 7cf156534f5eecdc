import { errorBody } from '@expresslane/shared/base/errors'
import { rehearsalResponse } from '@expresslane/shared/wire/rehearsal'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Deps } from '../../deps.ts'
import { principalOf } from '../http/gate.ts'
import { refusals, sessionParams } from '../http/schemas.ts'

/** Rehearsals of a session's lab before a talk. */
export function rehearsalRoutes({
  rehearsals,
  reach,
  driving,
}: Pick<Deps, 'rehearsals' | 'reach' | 'driving'>): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      '/api/sessions/:id/rehearsal',
      {
        schema: {
          summary: 'Rehearse the session’s lab on its testbed, quickly',
          description:
            'Runs the whole lab in a separate session, with repeats of one second, and restores the testbed. While a rehearsal is running, returns that one. Cancel its run to end it.',
          tags: ['presentation'],
          params: sessionParams,
          response: { 202: rehearsalResponse, ...refusals, 404: errorBody, 409: errorBody, 424: errorBody },
        },
      },
      async (request, reply) => {
        const session = reach.ownSession(principalOf(request), request.params.id)
        driving.require(principalOf(request), session.testbed)
        return reply.code(202).send({ rehearsal: await rehearsals.begin(session) })
      },
    )

    app.get(
      '/api/sessions/:id/rehearsal',
      {
        schema: {
          summary: 'The latest rehearsal of the session’s lab on its testbed',
          tags: ['presentation'],
          params: sessionParams,
          response: { 200: rehearsalResponse, ...refusals, 404: errorBody },
        },
      },
      async (request) => ({
        rehearsal: rehearsals.find(reach.ownSession(principalOf(request), request.params.id)),
      }),
    )
  }
}
