import { errorBody, LabError } from '@expresslane/shared/base/errors'
import { messageBody, networkBody, queueBody, roomView } from '@expresslane/shared/wire/room'
import { ownerId } from '@expresslane/shared/testbed/id'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Entrance } from '../../access/entrance.ts'
import type { Deps } from '../../deps.ts'
import { roomResults } from '../../classroom/results.ts'
import type { Reports } from '../../reports/make-apart.ts'
import { requireLab } from '../../runs/coordination/plan.ts'
import { packedReport, sendPacked } from '../http/kept.ts'
import { refusals } from '../http/schemas.ts'

const labQuery = z.strictObject({
  lab: z
    .string()
    .max(80)
    .regex(/^[a-z0-9-]+$/),
})
const fileOf = (type: string) => ({ description: 'A file', content: { [type]: { schema: z.string() } } })

const participantParams = z.strictObject({ id: ownerId })

/** Everybody's results of a lab, as files. */
export function roomResultRoutes(
  deps: Pick<Deps, 'store' | 'log' | 'findLab' | 'clock'>,
  reports: Reports,
  version: string,
): FastifyPluginAsyncZod {
  const { findLab } = deps

  async function sendResults(
    request: FastifyRequest,
    reply: FastifyReply,
    labId: string,
    format: 'html' | 'csv',
  ): Promise<FastifyReply> {
    const results = roomResults(deps, requireLab(findLab(labId), labId), `Expresslane ${version}`)
    return sendPacked(request, reply, packedReport(await reports.makeOfRoom({ room: results, format })))
  }

  return async (app) => {
    app.get(
      '/api/room/results.csv',
      {
        schema: {
          summary: 'Everybody’s results of a lab, one line per session',
          description: 'Includes participants who were removed.',
          tags: ['room'],
          querystring: labQuery,
          response: { 200: fileOf('text/csv'), ...refusals, 404: errorBody },
        },
      },
      async (request, reply) => sendResults(request, reply, request.query.lab, 'csv'),
    )

    app.get(
      '/api/room/report',
      {
        schema: {
          summary: 'Everybody’s results of a lab as one HTML report',
          description: 'With a dot plot, the room’s median and its interval. Includes participants who were removed.',
          tags: ['room'],
          querystring: labQuery,
          response: { 200: fileOf('text/html'), ...refusals, 404: errorBody },
        },
      },
      async (request, reply) => sendResults(request, reply, request.query.lab, 'html'),
    )
  }
}

/** The instructor's board, with the ways to pause the queue, to write messages and to remove a participant. */
export function roomRoutes(
  { scheduler, room, messages, people }: Pick<Deps, 'scheduler' | 'room' | 'messages' | 'people'>,
  entrance: Entrance,
): FastifyPluginAsyncZod {
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
        scheduler.pauseQueue(body.paused)
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

    app.post(
      '/api/room/networks',
      {
        schema: {
          summary: 'Let more people join from one network',
          description:
            'Half of the seats can be taken from one address, or one IPv6 network, before an instructor allows more: a whole room can share it. A restart forgets it.',
          tags: ['room'],
          body: networkBody,
          response: { 204: z.null(), ...refusals },
        },
      },
      async ({ body }, reply) => {
        people.allowFrom(body.network)
        room.note()
        return reply.code(204).send(null)
      },
    )

    app.delete(
      '/api/room/participants/:id',
      {
        schema: {
          summary: 'Remove a participant',
          description:
            'Ends their access and connections at once, then cancels their runs and closes their testbed. Sessions and results stay. Open doors get new codes, and the invitation that the participant used lets nobody else in.',
          tags: ['room'],
          params: participantParams,
          response: { 204: z.null(), ...refusals, 404: errorBody },
        },
      },
      async ({ params }, reply) => {
        const isIn = people.participants().some(({ id }) => id === params.id)
        if (!isIn || !people.remove(params.id)) {
          throw new LabError('not_found', 'This participant is not in the room.', 'Load the board again.')
        }
        entrance.renewDoors()
        return reply.code(204).send(null)
      },
    )
  }
}
