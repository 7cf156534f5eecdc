import { queueBody } from '@expresslane/shared/wire/room'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Deps } from '../deps.ts'
import { refusals } from './schemas.ts'

/** The instructor's board: what it changes. */
export function roomRoutes({ coordinator }: Deps): FastifyPluginAsyncZod {
  return async (app) => {
    app.put(
      '/api/room/queue',
      {
        schema: {
          summary: 'Pause or resume the queue',
          description:
            'While the queue is paused, runs that have started continue, and only runs of instructors start. The pause survives a restart.',
          tags: ['room'],
          body: queueBody,
          response: { 200: queueBody, ...refusals },
        },
      },
      async ({ body }) => {
        coordinator.pauseQueue(body.paused)
        return body
      },
    )
  }
}
