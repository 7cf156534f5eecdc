import { rehearse, readRehearsal } from '@expresslane/shared/wire/rehearsal'
import { serve } from '../http/serve.ts'
import type { FastifyPluginAsync } from 'fastify'
import type { Deps } from '../../deps.ts'

/** Rehearsals of a session's lab before a talk. */
export function rehearsalRoutes({
  rehearsals,
  reach,
  driving,
}: Pick<Deps, 'rehearsals' | 'reach' | 'driving'>): FastifyPluginAsync {
  return async (app) => {
    serve(app, rehearse, {
      summary: 'Rehearse the session’s lab on its testbed, quickly',
      description:
        'Runs the whole lab in a separate session, with repeats of one second, and restores the testbed. While a rehearsal is running, returns that one. Cancel its run to end it.',
      tags: ['presentation'],
      errors: [404, 409, 424],
      handler: async ({ principal, params }) => {
        const session = reach.ownSession(principal, params.id)
        driving.require(principal, session.testbed)
        return { rehearsal: await rehearsals.begin(session) }
      },
    })

    serve(app, readRehearsal, {
      summary: 'The latest rehearsal of the session’s lab on its testbed',
      tags: ['presentation'],
      errors: [404],
      handler: async ({ principal, params }) => ({
        rehearsal: rehearsals.find(reach.ownSession(principal, params.id)),
      }),
    })
  }
}
