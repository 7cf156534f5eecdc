import { healthResponse } from '@expresslane/shared/wire/protocol'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'

/** Open to everybody. Reports only the version and that the server answers. */
export function healthRoute(version: string): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      '/healthz',
      {
        schema: {
          summary: 'Whether the server is up',
          tags: ['health'],
          security: [],
          response: { 200: healthResponse },
        },
      },
      async () => ({ status: 'ok' as const, version }),
    )
  }
}
