import type { FastifyInstance } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Metrics } from '../../operations/metrics.ts'
import { refusals } from '../http/schemas.ts'

/** Call it before the first route is registered. */
export function countAnswers(app: FastifyInstance, metrics: Metrics): void {
  app.addHook('onResponse', async (_request, reply) => metrics.answered(reply.statusCode))
}

/** The instructor's and the metrics token's (access/policy.ts). */
export function metricsRoute(metrics: Metrics): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      '/metrics',
      {
        logLevel: 'warn',
        schema: {
          summary: 'Metrics for Prometheus',
          description: 'In Prometheus’s text format. docs/operations.md says what each one means.',
          tags: ['health'],
          response: { ...refusals, 200: { description: 'Metrics', content: { 'text/plain': { schema: z.string() } } } },
        },
      },
      async (_request, reply) => reply.type(metrics.contentType).send(await metrics.text()),
    )
  }
}
