import { errorBody } from '@expresslane/shared/base/errors'
import { answerBody, presentationResponse, presentBody, presentCommand } from '@expresslane/shared/wire/presentation'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { clientNetwork } from '../../access/clients.ts'
import type { Deps } from '../../deps.ts'
import { principalOf } from '../http/gate.ts'
import { refusals } from '../http/schemas.ts'

/** What a presenter shows the room, and the room's answers. */
export function presentationRoutes({ presenting, reach }: Pick<Deps, 'presenting' | 'reach'>): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      '/api/presentation',
      {
        schema: {
          summary: 'What is presented now',
          description: 'The stream sends a `presentation` frame after `hello`, and whenever this response changes.',
          tags: ['presentation'],
          response: { 200: presentationResponse, ...refusals },
        },
      },
      async () => ({ presentation: presenting.current() }),
    )

    app.put(
      '/api/presentation',
      {
        schema: {
          summary: 'Begin a presentation, or move it to another session',
          description: 'One session is presented at a time. Everybody who follows may read it.',
          tags: ['presentation'],
          body: presentBody,
          response: { 200: presentationResponse, ...refusals, 404: errorBody },
        },
      },
      async (request) => {
        const { sessionId, stepId } = request.body
        return { presentation: presenting.begin(reach.ownSession(principalOf(request), sessionId), stepId) }
      },
    )

    app.delete(
      '/api/presentation',
      {
        schema: {
          summary: 'End the presentation',
          tags: ['presentation'],
          response: { 200: presentationResponse, ...refusals },
        },
      },
      async () => {
        presenting.end()
        return { presentation: null }
      },
    )

    app.post(
      '/api/presentation/commands',
      {
        schema: {
          summary: 'Show a step, blank the screen, widen the path, switch autopilot on or off',
          description: '`go` takes over from autopilot. The presenter’s and the speaker’s windows both send these.',
          tags: ['presentation'],
          body: presentCommand,
          response: { 200: presentationResponse, ...refusals, 404: errorBody, 409: errorBody },
        },
      },
      async (request) => ({ presentation: presenting.command(request.body, principalOf(request)) }),
    )

    app.post(
      '/api/presentation/answers',
      {
        schema: {
          summary: 'Answer the presenter’s question',
          description:
            'One answer per person and step; a later one replaces it. Answers are anonymous and not stored: only the counts are known.',
          tags: ['presentation'],
          body: answerBody,
          response: { 200: presentationResponse, ...refusals, 404: errorBody, 409: errorBody },
        },
      },
      async (request) => {
        const voter = { id: principalOf(request).id, network: clientNetwork(request.ip) }
        return { presentation: presenting.answer(voter, request.body) }
      },
    )
  }
}
