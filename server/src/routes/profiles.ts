import { errorBody, LabError } from '@expresslane/shared/wire/errors'
import { profile, profilesResponse, saveProfileBody } from '@expresslane/shared/wire/protocol'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Deps } from '../deps.ts'
import { requireKnown } from '../runs/coordination/plan.ts'
import { refusals } from './schemas.ts'

/** The Bench page's plans, kept under names for everybody who uses this server. */
export function profileRoutes({ store, clock }: Deps): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      '/api/profiles',
      {
        schema: {
          summary: 'Plans that were kept, by name',
          tags: ['profiles'],
          response: { 200: profilesResponse, ...refusals },
        },
      },
      async () => ({ profiles: store.profiles.all() }),
    )

    app.put(
      '/api/profiles',
      {
        schema: {
          summary: 'Keep a plan under a name',
          description: 'One of the same name is replaced.',
          tags: ['profiles'],
          body: saveProfileBody,
          response: { 200: profile, ...refusals },
        },
      },
      async ({ body }) => {
        requireKnown(body.plan)
        const saved = { ...body, savedAt: clock.now() }
        store.profiles.save(saved)
        return saved
      },
    )

    app.delete(
      '/api/profiles/:name',
      {
        schema: {
          summary: 'Forget a plan',
          tags: ['profiles'],
          params: z.strictObject({ name: profile.shape.name }),
          response: { 204: z.null(), ...refusals, 404: errorBody },
        },
      },
      async ({ params }, reply) => {
        if (!store.profiles.remove(params.name)) {
          throw new LabError('not_found', `There is no profile “${params.name}”.`, 'Reload the page for the list.')
        }
        return reply.code(204).send(null)
      },
    )
  }
}
