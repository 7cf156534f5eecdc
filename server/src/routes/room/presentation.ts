import {
  readPresentation,
  present,
  endPresentation,
  commandPresentation,
  answerPoll,
} from '@expresslane/shared/wire/presentation'
import { serve } from '../http/serve.ts'
import type { FastifyPluginAsync } from 'fastify'
import { clientNetwork } from '../../access/clients.ts'
import type { Deps } from '../../deps.ts'

/** The presentation that the room follows, and the room's answers to polls. */
export function presentationRoutes({ presenting, reach }: Pick<Deps, 'presenting' | 'reach'>): FastifyPluginAsync {
  return async (app) => {
    serve(app, readPresentation, {
      summary: 'What is presented now',
      description: 'The stream sends a `presentation` frame after `hello`, and whenever this response changes.',
      tags: ['presentation'],
      handler: async () => ({ presentation: presenting.current() }),
    })

    serve(app, present, {
      summary: 'Begin a presentation, or move it to another session',
      description: 'One session is presented at a time. Everybody who follows may read it.',
      tags: ['presentation'],
      errors: [404],
      handler: async ({ principal, body }) => {
        const { sessionId, stepId } = body
        return { presentation: presenting.begin(reach.ownSession(principal, sessionId), stepId) }
      },
    })

    serve(app, endPresentation, {
      summary: 'End the presentation',
      tags: ['presentation'],
      handler: async () => {
        presenting.end()
        return { presentation: null }
      },
    })

    serve(app, commandPresentation, {
      summary: 'Show a step, blank the screen, widen the path, switch autopilot on or off',
      description: '`go` takes over from autopilot. The presenter’s and the speaker’s windows both send these.',
      tags: ['presentation'],
      errors: [404, 409],
      handler: async ({ principal, body }) => ({ presentation: presenting.command(body, principal) }),
    })

    serve(app, answerPoll, {
      summary: 'Answer the presenter’s question',
      description:
        'One answer per person and step; a later one replaces it. Answers are anonymous and not stored: only the counts are known.',
      tags: ['presentation'],
      errors: [404, 409],
      handler: async ({ principal, body, ip }) => {
        const voter = { id: principal.id, network: clientNetwork(ip) }
        return { presentation: presenting.answer(voter, body) }
      },
    })
  }
}
