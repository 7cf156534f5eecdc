import { readMe, endLogin, type Me } from '@expresslane/shared/wire/room'
import { serve } from '../http/serve.ts'
import { LabError } from '@expresslane/shared/base/errors'
import type { FastifyPluginAsync } from 'fastify'
import { mostSecondsOf } from '../../access/policy.ts'
import type { Principal } from '../../access/principal.ts'
import type { Config } from '../../config.ts'
import type { Deps } from '../../deps.ts'
import { logOutOf, type Front } from './cookies.ts'

/** A principal as the page knows it. */
export function meOf(principal: Principal, config: Config): Me {
  const { id, role, name } = principal
  return { id, role, name, workshop: config.workshop, mostSeconds: mostSecondsOf(principal, config) }
}

/** Answers the caller's name and role, and the end of their login. */
export function meRoute({ config, people }: Pick<Deps, 'config' | 'people'>, front: Front): FastifyPluginAsync {
  return async (app) => {
    serve(app, readMe, {
      summary: 'Who you are on this server',
      tags: ['access'],
      handler: async ({ principal }) => meOf(principal, config),
    })

    serve(app, endLogin, {
      summary: 'Log out of this browser',
      description:
        'Ends this login alone, clears its cookies and closes its streams with 4003. A participant without another login has left: seat and name are free, and results stay.',
      tags: ['access'],
      errors: [409],
      handler: async (request, reply) => {
        if (request.login === null) {
          throw new LabError(
            'nothing_to_do',
            'This request has a token and no login that could end.',
            'To lock a token out, start the server with another EXPRESSLANE_TOKEN.',
          )
        }
        people.logOut(request.principal, request.login)
        return logOutOf(front, request, reply).code(204).send(null)
      },
    })
  }
}
