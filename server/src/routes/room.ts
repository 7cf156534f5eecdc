import { errorBody, LabError } from '@expresslane/shared/wire/errors'
import { messageBody, queueBody, roomView } from '@expresslane/shared/wire/room'
import { ownerId } from '@expresslane/shared/testbed/id'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Entrance } from '../access/entrance.ts'
import type { Deps } from '../deps.ts'
import { refusals } from './schemas.ts'

const participantParams = z.strictObject({ id: ownerId })

/** The instructor's board, and what it does: pause the queue, write messages, remove a participant. */
export function roomRoutes({ coordinator, room, messages, people }: Deps, entrance: Entrance): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      '/api/room',
      {
        schema: {
          summary: 'The board: the participants with their steps and results, and the queue',
          description: 'The stream sends a `room` frame when this response changes, at most once per second.',
          tags: ['room'],
          response: { 200: roomView, ...refusals },
        },
      },
      async () => ({ ...room.view(), doors: entrance.doors() }),
    )

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
        room.note()
        return body
      },
    )

    app.post(
      '/api/room/messages',
      {
        schema: {
          summary: 'Show a message on the pages of one participant, or of all',
          description: 'Only pages that are open now show it.',
          tags: ['room'],
          body: messageBody,
          response: { 204: z.null(), ...refusals },
        },
      },
      async ({ body }, reply) => {
        messages.send(body)
        return reply.code(204).send(null)
      },
    )

    app.delete(
      '/api/room/participants/:id',
      {
        schema: {
          summary: 'Remove a participant',
          description:
            'Ends their access and connections at once, then cancels their runs and closes their testbed. Sessions and results stay.',
          tags: ['room'],
          params: participantParams,
          response: { 204: z.null(), ...refusals, 404: errorBody },
        },
      },
      async ({ params }, reply) => {
        if (!people.participants().some(({ id }) => id === params.id)) {
          throw new LabError('not_found', 'This participant is not in the room.', 'Load the board again.')
        }
        people.remove(params.id)
        return reply.code(204).send(null)
      },
    )
  }
}
