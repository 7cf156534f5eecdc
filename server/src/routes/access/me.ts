import { me, type Me } from '@expresslane/shared/wire/room'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { mostSecondsOf } from '../../access/policy.ts'
import type { Principal } from '../../access/principal.ts'
import type { Config } from '../../config.ts'
import type { Deps } from '../../deps.ts'
import { principalOf } from '../http/gate.ts'
import { refusals } from '../http/schemas.ts'

/** A principal as the page knows it. */
export function meOf(principal: Principal, config: Config): Me {
  const { id, role, name } = principal
  return { id, role, name, workshop: config.workshop, mostSeconds: mostSecondsOf(principal, config) }
}

/** `GET /api/me`: who the server takes the caller for. */
export function meRoute({ config }: Deps): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      '/api/me',
      { schema: { summary: 'Who you are on this server', tags: ['access'], response: { 200: me, ...refusals } } },
      async (request) => meOf(principalOf(request), config),
    )
  }
}
