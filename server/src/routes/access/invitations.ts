import { errorBody } from '@expresslane/shared/base/errors'
import {
  createInvitationBody,
  door,
  doorBody,
  guestRole,
  invitationsResponse,
  newInvitation,
} from '@expresslane/shared/wire/room'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Entrance } from '../../access/entrance.ts'
import { refusals } from '../http/schemas.ts'

/** Invitations and doors: how the instructor lets people in, and takes it back. */
export function invitationRoutes(entrance: Entrance): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      '/api/room/invitations',
      {
        schema: {
          summary: 'The invitations, newest first, without their codes',
          tags: ['access'],
          response: { 200: invitationsResponse, ...refusals },
        },
      },
      async () => ({ invitations: entrance.invitations() }),
    )

    app.post(
      '/api/room/invitations',
      {
        schema: {
          summary: 'Create an invitation link',
          description: 'Only this response contains the link: the server keeps a hash of its code.',
          tags: ['access'],
          body: createInvitationBody,
          response: { 201: newInvitation, ...refusals, 409: errorBody },
        },
      },
      async ({ body }, reply) => reply.code(201).send(entrance.invite(body.role, body.hours)),
    )

    app.delete(
      '/api/room/invitations/:id',
      {
        schema: {
          summary: 'Revoke an invitation',
          description: 'Everybody who joined with it loses access, and their streams close with 4003.',
          tags: ['access'],
          params: z.strictObject({ id: z.string().max(40) }),
          response: { 204: z.null(), ...refusals, 404: errorBody },
        },
      },
      async ({ params }, reply) => {
        entrance.revoke(params.id)
        return reply.code(204).send(null)
      },
    )

    app.put(
      '/api/room/doors/:role',
      {
        schema: {
          summary: 'Open a door, with a new code to type, or close it',
          description: 'The code works while the door is open. People who have joined stay.',
          tags: ['access'],
          params: z.strictObject({ role: guestRole }),
          body: doorBody,
          response: { 200: door, ...refusals, 409: errorBody },
        },
      },
      async ({ params, body }) => entrance.setDoor(params.role, body.open),
    )
  }
}
