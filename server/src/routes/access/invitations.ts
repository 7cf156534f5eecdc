import { listInvitations, invite, revokeInvitation, setDoor } from '@expresslane/shared/wire/board'
import { serve } from '../http/serve.ts'
import type { FastifyPluginAsync } from 'fastify'
import type { Entrance } from '../../access/entrance.ts'

/** Invitations and doors: how the instructor lets people in, and takes it back. */
export function invitationRoutes(entrance: Entrance): FastifyPluginAsync {
  return async (app) => {
    serve(app, listInvitations, {
      summary: 'The invitations, newest first, without their codes',
      tags: ['access'],
      handler: async () => ({ invitations: entrance.invitations() }),
    })

    serve(app, invite, {
      summary: 'Create an invitation link',
      description: 'Only this response contains the link: the server keeps a hash of its code.',
      tags: ['access'],
      errors: [409],
      handler: async ({ body }) => entrance.invite(body.role, body.hours),
    })

    serve(app, revokeInvitation, {
      summary: 'Revoke an invitation',
      description: 'Everybody who joined with it loses access, and their streams close with 4003.',
      tags: ['access'],
      errors: [404],
      handler: async ({ params }) => {
        entrance.revoke(params.id)
      },
    })

    serve(app, setDoor, {
      summary: 'Open a door, with a new code to type, or close it',
      description: 'The code works while the door is open. People who have joined stay.',
      tags: ['access'],
      errors: [409],
      handler: async ({ params, body }) => entrance.setDoor(params.role, body.open),
    })
  }
}
