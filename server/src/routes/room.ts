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
          summary: 'Pause the queue, or let it go on',
          description:
            'While it is paused, what runs continues, and only instructors’ runs start. A restart keeps the pause.',
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
