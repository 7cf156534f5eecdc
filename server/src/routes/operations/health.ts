import { healthResponse, readyResponse } from '@expresslane/shared/wire/protocol'
import { errorBody } from '@expresslane/shared/base/errors'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Readiness } from '../../operations/ready.ts'

/** Health checks, open to everybody, because callers have no login. They report only the version, and whether the server answers and takes work. */
export function healthRoutes(version: string, readiness: Readiness): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      '/healthz',
      {
        // Health checks come every few seconds.
        logLevel: 'warn',
        schema: {
          summary: 'Whether the server is up',
          tags: ['health'],
          security: [],
          response: { 200: healthResponse },
        },
      },
      async () => ({ status: 'ok' as const, version }),
    )
    app.get(
      '/readyz',
      {
        logLevel: 'warn',
        schema: {
          summary: 'Whether the server takes work',
          description:
            'It does while its data can be read, has free space, and the server does not stop. Otherwise 503 with the reason.',
          tags: ['health'],
          security: [],
          response: { 200: readyResponse, 503: errorBody },
        },
      },
      async (_request, reply) => {
        const problem = await readiness.problem()
        if (problem !== null) return reply.code(503).send({ error: problem.toProblem() })
        return { status: 'ready' as const, version }
      },
    )
  }
}
