import { errorBody, LabError } from '@expresslane/shared/base/errors'
import { profile, profilesResponse, saveProfileBody } from '@expresslane/shared/wire/protocol'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Deps } from '../../deps.ts'
import { requireKnown } from '../../runs/coordination/plan.ts'
import { refusals } from '../http/schemas.ts'

/** The Bench page's plans, saved by name for everybody who uses this server. */
export function profileRoutes({ store, clock }: Pick<Deps, 'store' | 'clock'>): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      '/api/profiles',
      {
        schema: {
          summary: 'All saved plans, by name',
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
          summary: 'Save a plan under a name',
          description: 'Replaces a plan of the same name.',
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
          summary: 'Delete a saved plan',
          tags: ['profiles'],
          params: z.strictObject({ name: profile.shape.name }),
          response: { 204: z.null(), ...refusals, 404: errorBody },
        },
      },
      async ({ params }, reply) => {
        if (!store.profiles.remove(params.name)) {
          throw new LabError(
            'not_found',
            `The profile “${params.name}” does not exist.`,
            'Reload the page to see the current profiles.',
          )
        }
        return reply.code(204).send(null)
      },
    )
  }
}
