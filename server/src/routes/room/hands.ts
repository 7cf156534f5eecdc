/** Hands of participants, their consents, and sessions that they share with the instructor. */
import { giveConsent, leaveSession, lookAtSession, lowerHand, raiseHand } from '@expresslane/shared/wire/hand'
import type { FastifyPluginAsync } from 'fastify'
import type { Deps } from '../../deps.ts'
import { requireLab, requireStep } from '../../runs/coordination/plan.ts'
import { serve } from '../http/serve.ts'

export function handRoutes({ hands, reach, findLab }: Pick<Deps, 'hands' | 'reach' | 'findLab'>): FastifyPluginAsync {
  return async (app) => {
    serve(app, raiseHand, {
      summary: 'Raise your hand at a step: “I’m stuck”',
      description:
        'A participant has one hand: it is lowered in another session. The stream sends a `hands` frame after each change.',
      tags: ['room'],
      errors: [404],
      handler: async ({ principal, params }) => {
        const session = reach.ownSession(principal, params.id)
        const { id } = requireStep(requireLab(findLab(session.labId), session.labId), params.step)
        hands.raise(session, id)
      },
    })

    serve(app, giveConsent, {
      summary: 'Let the instructor look at your session and type in its terminals, or end that',
      description:
        '`letsIn` and `typing` are two consents; a missing field stays as it is. The second needs an instructor who looks, and ends with the sharing. Both end with the hand, and when the server restarts.',
      tags: ['room'],
      errors: [404, 409],
      handler: async ({ principal, params, body }) => {
        hands.consent(reach.ownSession(principal, params.id).id, body)
      },
    })

    serve(app, lowerHand, {
      summary: 'Lower a hand: your own, or as an instructor anybody’s',
      description: 'Ends every consent, and the sharing.',
      tags: ['room'],
      errors: [404],
      handler: async ({ principal, params }) => {
        const { id, owner } = reach.ownSession(principal, params.id)
        hands.lower(id, owner === principal.id ? 'participant' : 'instructor')
      },
    })

    serve(app, lookAtSession, {
      summary: 'Look at the session of a participant who lets you in',
      description:
        'The participant’s terminals are in the `hands` frame, and `GET /api/terminals/ID/stream` connects to them, read-only. With `typing` it asks to type. The sharing ends when either ends it, and with your last page.',
      tags: ['room'],
      errors: [404],
      handler: async ({ principal, params, body }) => {
        hands.look(principal, reach.session(principal, params.id).id, body.typing)
      },
    })

    serve(app, leaveSession, {
      summary: 'Leave the session of a participant',
      tags: ['room'],
      errors: [404],
      handler: async ({ principal, params }) => hands.endSharing(reach.session(principal, params.id).id),
    })
  }
}
