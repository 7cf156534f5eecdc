import { me } from '@expresslane/shared/wire/room'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Deps } from '../../deps.ts'
import { principalOf } from '../http/gate.ts'
import { refusals } from '../http/schemas.ts'

/** `GET /api/me`: who the server takes the caller for. */
export function meRoute({ config }: Deps): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      '/api/me',
      { schema: { summary: 'Who you are on this server', tags: ['access'], response: { 200: me, ...refusals } } },
      async (request) => {
        const { id, role, name } = principalOf(request)
        return { id, role, name, workshop: config.workshop }
      },
    )
  }
}
